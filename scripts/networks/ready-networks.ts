/** What is made of the published networks, by the name of the file that the engine reads. */
import { lastLayer } from './last-layer.ts';
import { leanModel } from './lean-model.ts';
import { readModel } from './original-models.ts';

export async function readyNetworks(): Promise<Record<string, Uint8Array>> {
  return {
    'detection.onnx': leanModel(await readModel('detection')),
    'direction.onnx': leanModel(await readModel('direction')),
    'features.onnx': leanModel(await readModel('recognition')),
    'last-layer.json': await lastLayer(),
  };
}

/** What is made of the published networks, by the name under which the engine asks for it. */
import { leanModel } from './lean-model.ts';
import { readModel } from './original-models.ts';

export async function readyNetworks(): Promise<Record<string, Uint8Array>> {
  return {
    detection: leanModel(await readModel('detection')),
    direction: leanModel(await readModel('direction')),
    features: leanModel(await readModel('recognition')),
  };
}

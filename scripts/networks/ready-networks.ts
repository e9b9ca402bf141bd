/** What is made of the published networks, by the name under which the engine asks for it. */
import { FEATURES_TENSOR, leanModel } from './lean-model.ts';
import { readModel } from './original-models.ts';

/** The second recogniser is cut short: its last layer is the product's own. */
export async function readyNetworks(): Promise<Record<string, Uint8Array>> {
  return {
    detection: leanModel(await readModel('detection')),
    direction: leanModel(await readModel('direction')),
    features: leanModel(await readModel('recognition'), FEATURES_TENSOR),
  };
}

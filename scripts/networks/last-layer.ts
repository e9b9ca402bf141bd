/** The line recognizer's last layer: the published rows, and after them those that were trained here. */
import type { StoredLayer } from '../../src/ocr/recognizers/paddle-head.ts';
import { readLastLayer, readTrainedRows } from './original-models.ts';

type Rows = Omit<StoredLayer, 'trainedFrom'>;

export async function lastLayer(): Promise<Uint8Array> {
  const [published, trained] = await Promise.all([readLastLayer(), readTrainedRows()]);
  return new TextEncoder().encode(JSON.stringify(joined(parsed(published), parsed(trained))));
}

const parsed = (json: Uint8Array): Rows => JSON.parse(new TextDecoder().decode(json));

/** Both layers have the same features. */
export function joined(published: Rows, trained: Rows): StoredLayer {
  const both = (key: 'scales' | 'weights') =>
    Buffer.concat([published, trained].map((rows) => Buffer.from(rows[key], 'base64'))).toString('base64');
  return {
    madeOf: `${published.madeOf}, ${trained.madeOf}`,
    characters: [...published.characters, ...trained.characters],
    trainedFrom: published.characters.length,
    features: published.features,
    scales: both('scales'),
    weights: both('weights'),
  };
}

import { extractionSchema } from '#contract/extraction';
import { newAttempt } from '../../../features/extraction/tool/items.ts';
import type { RecognitionResult } from '../../../workspace/reading.ts';
import codePicture from './code.webp';
import receiptPicture from './receipt.webp';
import tablePicture from './table.webp';

/** Pictures with recorded responses of the server. `scripts/record-samples.ts` writes them. */
const SAMPLES = {
  Receipt: { picture: receiptPicture, load: () => import('./receipt.json') },
  Table: { picture: tablePicture, load: () => import('./table.json') },
  Code: { picture: codePicture, load: () => import('./code.json') },
} as const;

export type SampleName = keyof typeof SAMPLES;

/** Returns a new object for each call, so that edits do not reach the next one. Rejects without a connection. */
export async function openSample(name: SampleName): Promise<RecognitionResult> {
  const { picture, load } = SAMPLES[name];
  const [response, recorded] = await Promise.all([fetch(picture), load()]);
  if (!response.ok) throw new Error(`${picture}: ${response.status}`);
  const file = new File([await response.blob()], `sample-${name.toLowerCase()}.webp`, { type: 'image/webp' });
  return {
    picture: { file, number: 1 },
    attempt: { ...newAttempt({ useFiltering: true, languages: [] }), isSample: true },
    extraction: extractionSchema.parse(recorded.default),
    work: null,
  };
}

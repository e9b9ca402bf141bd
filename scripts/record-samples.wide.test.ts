import { expect, test } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { readHomePictures, recordedSamples } from './record-samples.ts';

/** The parts of a result that a visitor sees: text and layout. */
const seen = ({ extractedText, hidden, layout }: Extraction) => ({
  extractedText,
  hidden: hidden.map(({ text }) => text),
  tables: layout?.tables.map(({ rows, columns, cells }) => ({
    rows,
    columns,
    cells: cells.map(({ row, column, words }) => ({ row, column, words })),
  })),
});

test('samples of the start page: the engine reads them as recorded', async () => {
  const recorded = await recordedSamples();
  const { samples } = await readHomePictures();
  expect(Object.keys(samples)).toEqual(Object.keys(recorded));
  for (const [name, sample] of Object.entries(samples))
    expect(seen(sample), `${name}: run npx tsx --conditions=source scripts/record-samples.ts`).toEqual(
      seen(recorded[name]!),
    );
});

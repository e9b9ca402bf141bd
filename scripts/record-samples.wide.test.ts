import { expect, test } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { recordedSamples, recordHomePictures } from './record-samples.ts';

/** The parts of a result that a visitor sees: its texts, and their positions in tables. */
const visibleParts = ({ extractedText, hidden, layout }: Extraction) => ({
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
  const { samples } = await recordHomePictures();
  expect(Object.keys(samples)).toEqual(Object.keys(recorded));
  for (const [name, sample] of Object.entries(samples))
    expect(
      visibleParts(sample),
      `${name}: run npx tsx --conditions=source scripts/record-samples.ts`,
    ).toEqual(visibleParts(recorded[name]!));
});

import { expect, test } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import code from './code.json' with { type: 'json' };
import receipt from './receipt.json' with { type: 'json' };
import table from './table.json' with { type: 'json' };

const RERECORD = 'run: npx tsx --conditions=source scripts/record-samples.ts';

test.each(Object.entries({ receipt, table, code }))(
  'sample %s: the recorded response matches the contract',
  (_name, recorded) => {
    expect(extractionSchema.parse(recorded), RERECORD).toStrictEqual(recorded);
    expect(recorded.wordCount).toBeGreaterThan(0);
  },
);

test('samples: the table sample has cells, the code sample indents, and the receipt sample a doubtful word', () => {
  expect(table.layout.tables[0]?.rows).toBe(7);
  expect(code.layout.indents.length).toBeGreaterThan(0);
  const confidences = receipt.lines.flatMap(({ words }) => words.map(({ confidence }) => confidence));
  expect(Math.min(...confidences)).toBeLessThan(60);
});

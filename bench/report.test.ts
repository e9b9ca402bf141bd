import { expect, test } from 'vitest';
import { table } from './report.ts';

test('columns line up: names on the left, figures on the right', () => {
  expect(
    table([
      ['set', 'F1'],
      ['receipts', '.9'],
    ]),
  ).toBe('set       F1\nreceipts  .9');
});

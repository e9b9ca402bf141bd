import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, withMetricsTable } from './metrics-table.ts';

test('docs/operations.md: the table of metrics is the one that scripts/metrics-table.ts writes', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page, 'run: npx tsx --conditions=source scripts/metrics-table.ts').toBe(withMetricsTable(page));
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, withMetricsTable } from './written-files.ts';

test('docs/operations.md: the table of metrics is the one that scripts/written-files.ts writes', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page, 'run: npx tsx --conditions=source scripts/written-files.ts').toBe(withMetricsTable(page));
});

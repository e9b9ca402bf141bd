import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, withMetricsTable } from './generated-files.ts';

test('docs/operations.md: the table of metrics is up to date', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page, 'run: npx tsx --conditions=source scripts/generated-files.ts').toBe(withMetricsTable(page));
});

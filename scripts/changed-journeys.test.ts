import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';
import { changedFiles, JOURNEYS, journeysThrough } from './changed-journeys.mjs';

test('JOURNEYS: every journey and every touched path exists', () => {
  const missing = JOURNEYS.flatMap(({ journeys }) => journeys).filter(
    (name) => !existsSync(join(root, 'tests', 'e2e', 'journeys', `${name}.spec.ts`)),
  );
  expect(missing).toEqual([]);
});

test('journeysThrough: a changed source leads to the journeys of its folder, a changed journey to itself', () => {
  expect(journeysThrough(['src/server/waitlist/waitlist.routes.ts'])).toEqual(['waitlist']);
  expect(journeysThrough(['tests/e2e/journeys/blog.spec.ts'])).toEqual(['blog']);
});

test('journeysThrough: a changed unit or component test and a document lead to none', () => {
  expect(
    journeysThrough([
      'src/server/waitlist/waitlist.routes.integration.test.ts',
      'docs/testing.md',
      'README.md',
    ]),
  ).toEqual([]);
});

test('changedFiles: names changed and new files once', () => {
  const answers: Record<string, string> = { diff: 'a.ts\nb.ts\n', 'ls-files': 'b.ts\nc.ts\n' };
  expect(changedFiles((command) => answers[command] ?? '', 'HEAD')).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

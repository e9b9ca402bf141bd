import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';
import { changedFiles, JOURNEYS, journeysFor } from './changed-journeys.mjs';

test('JOURNEYS: contains only existing journeys and paths', () => {
  const missing = JOURNEYS.flatMap(({ journeys }) => journeys).filter(
    (name) => !existsSync(join(root, 'tests', 'e2e', 'journeys', `${name}.spec.ts`)),
  );
  expect(missing).toEqual([]);
});

test('journeysFor: returns the journeys of a changed source, and a changed journey itself', () => {
  expect(journeysFor(['src/server/waitlist/waitlist.routes.ts'])).toEqual(['waitlist']);
  expect(journeysFor(['tests/e2e/journeys/blog.spec.ts'])).toEqual(['blog']);
});

test('journeysFor: returns nothing for a changed unit test, component test or document', () => {
  expect(
    journeysFor(['src/server/waitlist/waitlist.routes.integration.test.ts', 'docs/testing.md', 'README.md']),
  ).toEqual([]);
});

test('changedFiles: lists changed and new files once', () => {
  const answers: Record<string, string> = { diff: 'a.ts\nb.ts\n', 'ls-files': 'b.ts\nc.ts\n' };
  expect(changedFiles((command) => answers[command] ?? '', 'HEAD')).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

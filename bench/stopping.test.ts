import { expect, test } from 'vitest';
import { ancestorsUpToNpm } from './stopping.ts';

const processes: Record<number, { command: string; parent: number }> = {
  10: { command: 'bash ', parent: 1 },
  20: { command: 'npm run bench --quick ', parent: 10 },
  30: { command: 'sh -c node scripts/bootstrap.mjs && tsx bench/run.ts ', parent: 20 },
  40: { command: 'node node_modules/.bin/tsx bench/run.ts ', parent: 30 },
  50: { command: 'node /usr/lib/npm/bin/npm-cli.js run bench ', parent: 10 },
  60: { command: 'node run.js ', parent: 10 },
};
const pidsFrom = (pid: number) => ancestorsUpToNpm(pid, (at) => processes[at] ?? null).map((one) => one.pid);

test('ancestorsUpToNpm: returns the processes from a run up to npm', () => {
  expect(pidsFrom(40)).toEqual([40, 30, 20]);
  expect(pidsFrom(50)).toEqual([50]);
});

test('ancestorsUpToNpm: returns nothing for a run that npm did not start', () => {
  expect(pidsFrom(60)).toEqual([]);
  expect(pidsFrom(99)).toEqual([]);
});

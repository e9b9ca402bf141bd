import { expect, it } from 'vitest';
import { type Installation, startCluster, startSingle } from '../tests/support/installation.ts';
import { killInTurn } from './fault-scenarios.ts';

/** A few of the kills of `npm run bench:faults` under load. */

const LIMITS = { RATE_LIMIT_PER_MINUTE: '100000', PAGE_LIMIT_PER_MINUTE: '100000' };

async function killEach(installation: Installation, kills: number) {
  try {
    return await killInTurn('in the gate', installation, { kills, say: () => {}, people: ONE_OF_EACH });
  } finally {
    await installation.stop();
  }
}

const ONE_OF_EACH = { uploading: 1, registering: 1, reading: 1 };

it('installation: killing a web process, a worker, PostgreSQL or Redis loses no acknowledged result, and each recovers automatically', async () => {
  const cluster = await startCluster({ from: 'sources', webs: 2, workers: 1, env: LIMITS });
  const { wrong, acknowledged, backAfter } = await killEach(cluster, 4);
  expect(wrong).toEqual([]);
  expect(Object.keys(backAfter)).toEqual(['web', 'worker', 'PostgreSQL', 'Redis']);
  expect(acknowledged.extractions).toBeGreaterThanOrEqual(4);
}, 300_000);

it('installation: killing a single server or its recognition process loses no acknowledged result', async () => {
  const single = await startSingle({ from: 'sources', env: LIMITS });
  const { wrong, acknowledged, backAfter } = await killEach(single, 2);
  expect(wrong).toEqual([]);
  expect(Object.keys(backAfter)).toEqual(['the server', 'its recognition process']);
  expect(acknowledged.extractions).toBeGreaterThanOrEqual(2);
}, 300_000);

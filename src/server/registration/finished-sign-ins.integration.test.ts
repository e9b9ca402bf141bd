import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { createKeyring } from '../platform/keyring.ts';
import type { Database } from '../schema.ts';
import { createFinishedSignIns, type FinishedSignIn } from './finished-sign-ins.ts';

const OUTCOME: FinishedSignIn = {
  identity: {
    provider: 'google',
    subject: 'nora-1',
    email: 'nora@mail.example',
    emailVerified: true,
    name: undefined,
    preferredUsername: 'nora',
  },
  registrationId: 'one',
};

describeOnBothDatabases('finished sign-ins', (testDatabase) => {
  const clock = createTestClock();
  const keyring = createKeyring({ cookieKeys: ['c'.repeat(32)], cookieKey: undefined });
  let database: Database;
  beforeEach(async () => {
    database = await testDatabase().open();
  });
  afterEach(() => database.destroy());
  const open = (waitMs = 5_000) =>
    createFinishedSignIns({ database, keyring, clock, lifetimeMs: 600_000, waitMs });

  it('one of several parallel requests is the first, and the others wait for its outcome', async () => {
    const finished = open();
    const started = await Promise.all(Array.from({ length: 5 }, () => finished.start('parallel')));
    expect(started.filter(Boolean)).toHaveLength(1);
    const waiting = [finished.wait('parallel'), open().wait('parallel')];
    await finished.store('parallel', OUTCOME);
    expect(await Promise.all(waiting)).toEqual([OUTCOME, OUTCOME]);
  });

  it('waiting for a hanging request times out, and waiting for a failed one rejects at once', async () => {
    const finished = open(300);
    await finished.start('hanging');
    await expect(finished.wait('hanging')).rejects.toThrow('takes too long');
    await finished.start('failing');
    await finished.store('failing', null);
    await expect(finished.wait('failing')).rejects.toThrow('the first request of this sign-in failed');
  });

  it('a state works once, and its outcome can be repeated for a minute', async () => {
    const finished = open();
    await finished.start('old');
    await finished.store('old', OUTCOME);
    clock.advance(60_000);
    await expect(finished.wait('old')).rejects.toThrow('the sign-in has expired');
    await finished.deleteExpired();
    await expect(finished.wait('old')).rejects.toThrow('the sign-in has expired');
    expect(await finished.start('old')).toBe(false);
  });
});

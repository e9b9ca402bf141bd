import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { createKeyring } from '../platform/keyring.ts';
import type { Database } from '../schema.ts';
import { createFinishedSignIns, type FinishedSignIn } from './finished-sign-ins.ts';

const FOUND: FinishedSignIn = {
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

describeOnBothDatabases('a sign-in that several requests finish', (home) => {
  const clock = createTestClock();
  const keyring = createKeyring({ cookieKeys: ['c'.repeat(32)], cookieKey: undefined });
  let database: Database;
  beforeEach(async () => {
    database = await home().open();
  });
  afterEach(() => database.destroy());
  const open = (waitMs = 5_000) =>
    createFinishedSignIns({ database, keyring, clock, lifetimeMs: 600_000, waitMs });

  it('finished sign-ins: of parallel requests one is the first, and the others wait for its outcome', async () => {
    const finished = open();
    const started = await Promise.all(Array.from({ length: 5 }, () => finished.begin('parallel')));
    expect(started.filter(Boolean)).toHaveLength(1);
    const waiting = [finished.wait('parallel'), open().wait('parallel')];
    await finished.store('parallel', FOUND);
    expect(await Promise.all(waiting)).toEqual([FOUND, FOUND]);
  });

  it('finished sign-ins: waiting for a hanging one times out, and for a failed one rejects at once', async () => {
    const finished = open(300);
    await finished.begin('hanging');
    await expect(finished.wait('hanging')).rejects.toThrow('takes too long');
    await finished.begin('failing');
    await finished.store('failing', null);
    await expect(finished.wait('failing')).rejects.toThrow('the first request of this sign-in failed');
  });

  it('finished sign-ins: a state works once, and its outcome can be repeated for a minute', async () => {
    const finished = open();
    await finished.begin('old');
    await finished.store('old', FOUND);
    clock.advance(60_000);
    await expect(finished.wait('old')).rejects.toThrow('the sign-in has expired');
    await finished.deleteExpired();
    await expect(finished.wait('old')).rejects.toThrow('the sign-in has expired');
    expect(await finished.begin('old')).toBe(false);
  });
});

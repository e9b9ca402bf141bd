import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { createKeyring } from '../platform/keyring.ts';
import type { Database } from '../schema.ts';
import { type CallbackOutcome, createCallbackOutcomes } from './callback-outcomes.ts';

const OUTCOME: CallbackOutcome = {
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

describeOnBothDatabases('sign-in callback outcomes', (testDatabase) => {
  const clock = createTestClock();
  const keyring = createKeyring({ cookieKeys: ['c'.repeat(32)], cookieKey: undefined });
  let database: Database;
  beforeEach(async () => {
    database = await testDatabase().open();
  });
  afterEach(() => database.destroy());
  const open = (waitMs = 5_000) =>
    createCallbackOutcomes({ database, keyring, clock, lifetimeMs: 600_000, waitMs });

  it('one of several parallel requests is the first, and the others wait for its outcome', async () => {
    const outcomes = open();
    const started = await Promise.all(Array.from({ length: 5 }, () => outcomes.claim('parallel')));
    expect(started.filter(Boolean)).toHaveLength(1);
    const waiting = [outcomes.wait('parallel'), open().wait('parallel')];
    await outcomes.store('parallel', OUTCOME);
    expect(await Promise.all(waiting)).toEqual([OUTCOME, OUTCOME]);
  });

  it('waiting for a hanging request times out, and waiting for a failed one rejects at once', async () => {
    const outcomes = open(300);
    await outcomes.claim('hanging');
    await expect(outcomes.wait('hanging')).rejects.toThrow('takes too long');
    await outcomes.claim('failing');
    await outcomes.store('failing', null);
    await expect(outcomes.wait('failing')).rejects.toThrow('the first request of this sign-in failed');
  });

  it('a state works once, and its outcome can be repeated for a minute', async () => {
    const outcomes = open();
    await outcomes.claim('old');
    await outcomes.store('old', OUTCOME);
    clock.advance(60_000);
    await expect(outcomes.wait('old')).rejects.toThrow('the sign-in has expired');
    await outcomes.deleteExpired();
    await expect(outcomes.wait('old')).rejects.toThrow('the sign-in has expired');
    expect(await outcomes.claim('old')).toBe(false);
  });
});

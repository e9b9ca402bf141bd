import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WebhookEvent } from '#contract/job';
import { eventually } from '../../../tests/support/eventually.ts';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { createLogger } from '../platform/logger.ts';
import type { Database } from '../schema.ts';
import { WebhookDeliveries } from './deliveries.ts';
import type { DeliveryResult } from './webhook-caller.ts';

const EVENT: WebhookEvent = {
  type: 'job.failed',
  timestamp: '2026-05-04T10:00:00.000Z',
  data: {
    id: 'job',
    state: 'failed',
    counts: { total: 1, queued: 0, running: 0, done: 0, failed: 1, cancelled: 0 },
    url: 'http://localhost:3000/api/jobs/job',
  },
};

describeOnBothDatabases('webhook deliveries', (testDatabase) => {
  const clock = createTestClock();
  let database: Database;
  let deliveries: WebhookDeliveries;
  /** Calls in progress, and the number of all calls. */
  let inProgress: string[];
  let called: string[];
  let callReceiver: (url: string) => Promise<DeliveryResult>;
  /** Called with the log entry of each attempt: after its outcome is stored and before it ends. */
  let onEntry: () => void;

  beforeEach(async () => {
    database = await testDatabase().open();
    [inProgress, called] = [[], []];
    onEntry = () => {};
    deliveries = new WebhookDeliveries({
      database,
      secrets: { signing: async () => [`whsec_${Buffer.alloc(32).toString('base64')}`] },
      async callReceiver(url) {
        called.push(url);
        inProgress.push(url);
        const result = await callReceiver(url);
        inProgress.splice(inProgress.indexOf(url), 1);
        return result;
      },
      clock,
      logger: createLogger('info', { write: () => onEntry() }),
    });
  });
  afterEach(async () => {
    await deliveries.stop();
    await database.deleteFrom('users').execute();
    await database.destroy();
  });

  async function person(name: string): Promise<string> {
    const id = `id-of-${name}`;
    await database
      .insertInto('users')
      .values({
        id,
        username: name,
        email: `${name}@example.org`,
        email_key: `${name}@example.org`,
        email_verified_at: null,
        pending_email: null,
        password_hash: null,
        storage_bytes: 0,
        signed_in_at: null,
        created_at: clock.now().toISOString(),
      })
      .execute();
    return id;
  }
  const schedule = (userId: string, url: string) =>
    database.transaction().execute(async (transaction) => {
      const id = await deliveries.prepare(transaction, userId, url);
      await deliveries.schedule(transaction, id, EVENT);
      return id;
    });
  const answersSlowly = () => delay(50, { status: 200 });
  const stateOf = async (id: string) => (await deliveries.find(id))?.state;

  it('deliveries: one user with unresolvable hosts does not delay another user’s delivery', async () => {
    let giveUp = () => {};
    const unresolved = new Promise<DeliveryResult>((resolve) => {
      giveUp = () => resolve({ error: 'timed_out', dnsFailed: true });
    });
    callReceiver = async (url) => (url.includes('slow') ? unresolved : { status: 200 });
    const mallory = await person('mallory');
    for (let at = 0; at < 100; at += 1) await schedule(mallory, `https://h${at}.slow.example.org/hook`);
    deliveries.wake();
    await eventually(() => inProgress.length > 0);
    const id = await schedule(await person('anna'), 'https://quick.example.com/hook');
    deliveries.wake();
    await eventually(async () => (await stateOf(id)) === 'delivered');
    const slow = called.filter((url) => url.includes('slow'));
    expect(slow, 'of a hundred that were due before').toHaveLength(4);
    giveUp();
  });

  it('deliveries: at most four of a user and eight to a host run in parallel, and all arrive', async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const most = { perPerson: 0, perHost: 0 };
    callReceiver = async (url) => {
      const { hostname, searchParams } = new URL(url);
      const alike = (part: string) => inProgress.filter((one) => one.includes(part)).length;
      most.perPerson = Math.max(most.perPerson, alike(`?for=${searchParams.get('for')}`));
      most.perHost = Math.max(most.perHost, alike(hostname));
      await held;
      return { status: 204 };
    };
    const ids: string[] = [];
    for (const name of ['anna', 'bert', 'cora']) {
      const userId = await person(name);
      for (let at = 0; at < 6; at += 1)
        ids.push(await schedule(userId, `https://hooks.example.com/${at}?for=${name}`));
    }
    deliveries.wake();
    await eventually(() => inProgress.length === 8);
    go();
    for (const id of ids) {
      await eventually(async () => {
        await deliveries.deliver();
        return (await stateOf(id)) === 'delivered';
      });
    }
    expect(most).toEqual({ perPerson: 4, perHost: 8 });
  });

  it('deliveries: a host whose name fails is not called for a quarter of an hour, for any user', async () => {
    callReceiver = async () => ({ error: 'unreachable', dnsFailed: true });
    const first = await schedule(await person('anna'), 'https://gone.example.com/1');
    await deliveries.deliver();
    expect(await deliveries.find(first)).toMatchObject({
      state: 'waiting',
      lastError: 'unreachable',
      nextTryAt: new Date(clock.now().getTime() + 15 * 60_000).toISOString(),
    });
    const second = await schedule(await person('bert'), 'https://gone.example.com/2');
    await deliveries.deliver();
    expect(called).toEqual(['https://gone.example.com/1']);
    clock.advance(15 * 60_000);
    callReceiver = async () => ({ status: 200 });
    await deliveries.deliver();
    expect([await stateOf(first), await stateOf(second)]).toEqual(['delivered', 'delivered']);
  });

  it('deliveries: a delivery that is due again while it ends is made in the same call', async () => {
    callReceiver = async () => ({ status: 503 });
    let second: Promise<void> | undefined;
    onEntry = () => {
      callReceiver = answersSlowly;
      clock.advance(5_000);
      second ??= deliveries.deliver();
    };
    const id = await schedule(await person('anna'), 'https://back.example.com/');
    deliveries.wake();
    await eventually(() => second !== undefined);
    await second;
    expect(await deliveries.find(id)).toMatchObject({ state: 'delivered', tries: 2 });
  });

  it('deliveries: concurrent calls make each delivery once, and both wait for it', async () => {
    callReceiver = answersSlowly;
    const id = await schedule(await person('anna'), 'https://slow.example.com/');
    const states = await Promise.all(
      Array.from({ length: 4 }, async () => {
        await deliveries.deliver();
        return stateOf(id);
      }),
    );
    expect(states).toEqual(Array(4).fill('delivered'));
    expect(called).toHaveLength(1);
  });

  it('deliveries: a row of an older server, without a host, is sent too', async () => {
    callReceiver = async () => ({ status: 200 });
    const id = await schedule(await person('anna'), 'https://hooks.example.com/');
    await database.updateTable('webhook_deliveries').set({ host: null }).execute();
    await deliveries.deliver();
    expect(await stateOf(id)).toBe('delivered');
  });
});

import { describe, expect, it } from 'vitest';
import { createBrowser, PASSWORD } from '../../../tests/support/people.ts';
import { createTestClock, createVisitor, sharedServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../tests/support/server-databases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe.each(DEFAULT_DATABASES)('unpaid registrations (%s)', (database) => {
  const clock = createTestClock();
  const server = sharedServer({ database, clock, env: { PAYMENTS: 'demo' } });

  /** An old registration with an abandoned payment. */
  async function abandon(count: number): Promise<void> {
    const at = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString();
    const ids = Array.from({ length: count }, (_, index) => `abandoned-${index}`);
    const registrations = ids.map((id) => ({
      id,
      username: id,
      email: `${id}@example.org`,
      email_key: `${id}@example.org`,
      password_hash: 'a hash',
      provider: null,
      subject: null,
      email_verified: 0,
      created_at: at(-9),
      expires_at: at(-8),
      user_id: null,
    }));
    const payments = ids.map((id) => ({
      id: `payment-${id}`,
      registration_id: id,
      user_id: null,
      provider: 'demo' as const,
      reference: null,
      open_key: null,
      status: 'abandoned' as const,
      approval_url: null,
      amount: '4.99',
      currency: 'USD',
      created_at: at(-8.5),
      next_check_at: at(-8),
    }));
    await server.database.insertInto('registrations').values(registrations).execute();
    await server.database.insertInto('payments').values(payments).execute();
  }

  const registered = (username: string) =>
    server.database.selectFrom('registrations').select('id').where('username', '=', username).execute();

  it('are deleted, however many others have an abandoned payment', async () => {
    await abandon(600);
    const anna = createBrowser(server.app);
    expect((await anna.register('anna')).statusCode).toBe(402);
    clock.advance(DAY_MS + 1000);
    expect((await createBrowser(server.app).register('anna', 'other@example.org')).statusCode).toBe(402);
    await server.sweep();
    expect(
      await server.database
        .selectFrom('registrations')
        .select('id')
        .where('email_key', 'like', '%@example.org')
        .where('username', '<>', 'anna')
        .execute(),
    ).toEqual([]);
    expect(await registered('anna')).toHaveLength(1);
  });

  it('free their name after a day, and are deleted a week after the start of their payment', async () => {
    await createBrowser(server.app).register('bert');
    const row = await server.database
      .selectFrom('registrations')
      .select('id')
      .where('username', '=', 'bert')
      .executeTakeFirstOrThrow();
    await server.database
      .insertInto('payments')
      .values({
        id: 'payment-bert',
        registration_id: row.id,
        user_id: null,
        provider: 'demo',
        reference: null,
        open_key: null,
        status: 'abandoned',
        approval_url: null,
        amount: '4.99',
        currency: 'USD',
        created_at: clock.now().toISOString(),
        next_check_at: clock.now().toISOString(),
      })
      .execute();
    clock.advance(2 * DAY_MS);
    await server.sweep();
    expect(await registered('bert')).toHaveLength(1);
    expect((await createBrowser(server.app).register('bert', 'second@example.org')).statusCode).toBe(402);
    clock.advance(5 * DAY_MS + 1000);
    await server.sweep();
    expect(await registered('bert')).toEqual([]);
  });

  it('become accounts when they are paid, and leave no other rows', async () => {
    const carla = createBrowser(server.app);
    await carla.register('carla');
    expect((await carla.pay('carla@example.org')).json()).toMatchObject({ status: 'completed' });
    await server.sweep();
    expect(await registered('carla')).toHaveLength(1);
    clock.advance(9 * DAY_MS);
    await server.sweep();
    expect(await registered('carla')).toEqual([]);
    expect((await carla.login('carla')).statusCode).toBe(200);
  });

  it('are limited to twenty reserved names per address, without paid ones', async () => {
    const statuses: number[] = [];
    const register = async (at: number) => {
      const answer = await createBrowser(server.app).register(`squatted-${at}`);
      statuses.push(answer.statusCode);
      return answer;
    };
    const dora = createBrowser(server.app);
    await dora.register('dora');
    await dora.pay('dora@example.org');
    for (let at = 0; at < 25; at += 1) await register(at);
    expect(statuses.filter((status) => status === 402)).toHaveLength(20);
    const refused = await register(25);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'accounts.too_many_attempts' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    const honest = createVisitor(server.app, '203.0.113.80');
    const payload = { username: 'squatted-24', email: 'honest@example.org', password: PASSWORD };
    expect((await honest.send({ method: 'POST', url: '/api/register', payload })).statusCode).toBe(402);
    clock.advance(DAY_MS + 1000);
    expect((await register(26)).statusCode, 'once the others have lapsed').toBe(402);
  });

  it('reserve one name per browser', async () => {
    const emil = createBrowser(server.app);
    for (let at = 0; at < 25; at += 1) {
      expect((await emil.register(`emil-${at}`, 'emil@example.org')).statusCode).toBe(402);
    }
  });
});

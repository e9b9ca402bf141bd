import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PayPalDouble, type PayPalEvent } from '../../../tests/doubles/paypal.ts';
import { createBrowser } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

/** `approve`: at PayPal; `return`: the browser returns; `event`: the webhook arrives. */
type Step = `${'approve' | 'return' | 'event'} ${'one' | 'two'}`;

/** All interleavings of two payers' steps in which each approves first. */
function* everyOrder(done: Step[] = []): Generator<Step[]> {
  const all: Step[] = ['approve one', 'return one', 'event one', 'approve two', 'return two', 'event two'];
  const possible = all.filter((step) => {
    const [what, who] = step.split(' ');
    const approved = done.includes(`approve ${who}` as Step);
    return !done.includes(step) && (what === 'approve' || approved);
  });
  if (possible.length === 0) yield done;
  for (const step of possible) yield* everyOrder([...done, step]);
}
const ORDERS = [...everyOrder()];

describe.each(['sqlite', 'pgbouncer'] as const)('two browsers that pay for one address (%s)', (database) => {
  let paypal: PayPalDouble;
  let server: TestServer;
  beforeAll(async () => {
    paypal = await PayPalDouble.start();
    server = await startTestServer({
      database,
      clock: createTestClock(),
      env: { ...paypal.env, RATE_LIMIT_PER_MINUTE: '100000' },
    });
  });
  afterAll(async () => {
    await server.close();
    await paypal.close();
  });

  /** Runs one interleaving and returns who got the address. */
  async function runInterleaving(order: readonly Step[], tag: string): Promise<string> {
    const email = `${tag}@example.org`;
    const people = new Map<
      string,
      { browser: ReturnType<typeof createBrowser>; id: string; password: string }
    >();
    for (const who of ['one', 'two']) {
      const browser = createBrowser(server.app);
      const password = `pass phrase of ${who}`;
      expect((await browser.register(`${tag}-${who}`, email, password)).statusCode).toBe(402);
      await browser.pay(email);
      const id = [...paypal.subscriptions.keys()].at(-1) ?? '';
      people.set(who, { browser, id, password });
    }
    const events = new Map<string, PayPalEvent | undefined>();
    for (const step of order) {
      const [what, who = ''] = step.split(' ');
      const { browser, id } = people.get(who)!;
      if (what === 'approve') {
        paypal.approve(id);
        events.set(
          who,
          paypal.events.findLast(({ event_type }) => event_type === 'BILLING.SUBSCRIPTION.ACTIVATED'),
        );
      } else if (what === 'return') {
        const { pathname, search } = new URL(paypal.approve(id));
        await browser.get(pathname + search);
      } else {
        const { body } = events.get(who)!;
        const headers = { 'content-type': 'application/json', ...paypal.sign(body) };
        const url = '/api/payment/paypal/webhook';
        const response = await server.app.inject({ method: 'POST', url, payload: body, headers });
        expect(response.statusCode).toBe(200);
      }
    }

    const users = await server.database
      .selectFrom('users')
      .select('username')
      .where('email_key', '=', email)
      .execute();
    expect(users).toHaveLength(1);
    const winner = users[0]?.username.endsWith('one') ? 'one' : 'two';
    const loser = winner === 'one' ? 'two' : 'one';

    // The winner has the account with their own password; the loser claims their own payment.
    const login = (name: string, password: string) => createBrowser(server.app).login(name, password);
    expect((await login(email, people.get(winner)!.password)).statusCode).toBe(200);
    expect((await login(email, people.get(loser)!.password)).statusCode).toBe(401);
    const { browser, password } = people.get(loser)!;
    const other = `other-${email}`;
    expect((await browser.register(`${tag}-${loser}`, other, password)).statusCode).toBe(402);
    expect((await browser.pay(other)).json()).toEqual({ status: 'completed', kind: 'registration' });
    expect((await login(`${tag}-${loser}`, password)).json()).toMatchObject({ user: { isPremium: true } });
    return winner;
  }

  it('all end with one account for the address and no lost payment', async () => {
    expect(ORDERS).toHaveLength(80);
    // Each database runs half of the interleavings; both have each kind of step first and last.
    const half = ORDERS.filter((_, index) => index % 2 === (database === 'sqlite' ? 0 : 1));
    const winners = new Set<string>();
    for (const [index, order] of half.entries()) {
      winners.add(
        await runInterleaving(order, `order-${index}`).catch((error) => {
          throw new Error(`in the order ${order.join(', ')}`, { cause: error });
        }),
      );
    }
    expect(winners).toEqual(new Set(['one', 'two']));
  }, 60_000);
});

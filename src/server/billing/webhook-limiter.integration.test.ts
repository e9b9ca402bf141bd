import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PayPalDouble, type PayPalEvent } from '../../../tests/doubles/paypal.ts';
import { createBrowser } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

const WEBHOOK = '/api/payment/paypal/webhook';
const PAYPALS = '203.0.113.80';

describe('forged webhooks', () => {
  const clock = createTestClock();
  let paypal: PayPalDouble;
  let server: TestServer;
  let genuine: PayPalEvent;
  beforeAll(async () => {
    paypal = await PayPalDouble.start({ now: () => clock.now() });
    server = await startTestServer({ clock, env: { ...paypal.env, RATE_LIMIT_PER_MINUTE: '100000' } });
    const payer = createBrowser(server.app);
    await payer.register('olga');
    await payer.pay('olga@example.org');
    const [subscription] = paypal.subscriptions.values();
    if (!subscription) throw new Error('no subscription');
    paypal.approve(subscription.id);
    const [event] = paypal.events;
    if (!event) throw new Error('no event');
    genuine = event;
  });
  afterAll(async () => {
    await server.close();
    await paypal.close();
  });
  beforeEach(() => clock.advance(60_000));

  const deliver = (event: PayPalEvent, remoteAddress: string, forge = true) =>
    server.app.inject({
      method: 'POST',
      url: WEBHOOK,
      remoteAddress,
      payload: event.body,
      headers: { 'content-type': 'application/json', ...paypal.sign(event.body, forge) },
    });
  const asked = () => paypal.calls.filter((call) => call.includes('verify-webhook-signature')).length;

  it('of one address cause few calls to the provider, and events of other addresses are still checked', async () => {
    const before = asked();
    for (let count = 0; count < 1000; count++) await deliver(genuine, '198.51.100.1');
    expect(asked() - before).toBe(20);
    const refused = await deliver(genuine, '198.51.100.1');
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([429, ['error', 'code']]);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await deliver(genuine, PAYPALS, false)).statusCode).toBe(200);
  });

  it('of a thousand addresses cause few calls too, and do not block an address with a genuine event', async () => {
    const before = asked();
    for (let count = 0; count < 1000; count++) {
      await deliver(genuine, `198.51.${100 + Math.floor(count / 250)}.${count % 250}`);
    }
    expect(asked() - before).toBe(60);
    expect((await deliver(genuine, PAYPALS, false)).statusCode).toBe(200);
    expect((await deliver(genuine, '203.0.113.81', false)).statusCode).toBe(429);
    clock.advance(60_000);
    expect((await deliver(genuine, '203.0.113.81', false)).statusCode).toBe(200);
  });

  it('that arrive in parallel are checked a few at a time, and a genuine one is not delayed', async () => {
    let goOn = () => {};
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    paypal.fault(/verify-webhook-signature/, { kind: 'hold', until }, 4);
    const before = asked();
    const forged = Array.from({ length: 50 }, (_, index) => deliver(genuine, `192.0.2.${index}`));
    await expect.poll(() => asked() - before).toBe(4);
    expect((await deliver(genuine, PAYPALS, false)).statusCode).toBe(200);
    goOn();
    const answers = await Promise.all(forged);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array(4).fill(400),
      ...Array(46).fill(503),
    ]);
    expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBe('5');
    expect(asked() - before).toBe(5);
  });

  it('are limited, genuine ones are not', async () => {
    for (let count = 0; count < 100; count++) {
      expect((await deliver(genuine, '203.0.113.90', false)).statusCode).toBe(200);
    }
  });
});

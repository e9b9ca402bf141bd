import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PayPalDouble } from '../../../tests/doubles/paypal.ts';
import { PayPalClient } from './paypal-client.ts';
import { ensurePlan } from './paypal-provider.ts';

let paypal: PayPalDouble;
beforeEach(async () => {
  paypal = await PayPalDouble.start();
});
afterEach(() => paypal.close());
const connect = (options: { clientSecret?: string; timeoutMs?: number } = {}) =>
  new PayPalClient({
    baseUrl: paypal.url,
    clientId: paypal.clientId,
    clientSecret: paypal.clientSecret,
    retryDelayMs: 1,
    ...options,
  });
const count = (pattern: RegExp) => paypal.calls.filter((call) => pattern.test(call)).length;

it('PayPal client: given parallel calls, fetches one token, and another when that is refused', async () => {
  const client = connect();
  await Promise.all([client.subscription('I-1'), client.subscription('I-2'), client.sale('S-1')]);
  expect(count(/oauth2/)).toBe(1);
  paypal.expireTokens();
  expect(await client.subscription('I-1')).toBeUndefined();
  expect(count(/oauth2/)).toBe(2);
});

it('PayPal client: given a read that fails, tries it three times in all', async () => {
  const client = connect();
  paypal.fault(/subscriptions/, { kind: 'status', status: 503 }, 2);
  expect(await client.subscription('I-1')).toBeUndefined();
  expect(count(/GET .*subscriptions/)).toBe(3);
  paypal.fault(/subscriptions/, { kind: 'status', status: 429 }, 3);
  await expect(client.subscription('I-1')).rejects.toMatchObject({ code: 'billing.provider_failed' });
});

it('PayPal client: given a call without an answer, times out', async () => {
  const client = connect({ timeoutMs: 50 });
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  paypal.fault(/subscriptions/, { kind: 'hold', until }, 3);
  await expect(client.subscription('I-1')).rejects.toThrow('did not answer');
  release();
});

it('PayPal client: given a failed write that is not idempotent, never repeats it', async () => {
  const client = connect();
  paypal.fault(/webhooks/, { kind: 'status', status: 500 });
  await expect(client.createWebhook('https://g.example/hook', [])).rejects.toThrow();
  expect(count(/POST .*webhooks/)).toBe(1);
});

it('PayPal client: given a failure, names neither the secret nor a subscription in the error', async () => {
  const wrong = connect({ clientSecret: 'a-wrong-secret' });
  await expect(wrong.subscription('I-SECRET')).rejects.toThrow(/401 invalid_client/);
  paypal.fault(/subscriptions/, { kind: 'status', status: 400, body: { name: 'BAD', debug_id: 'd1' } });
  const failure = await connect()
    .subscription('I-SECRET')
    .catch((error: Error) => error.message);
  expect(failure).toContain('debug id d1');
  expect(failure).not.toContain('SECRET');
});

it('PayPal client: given an answer of another form than documented, rejects it', async () => {
  paypal.fault(/subscriptions/, { kind: 'status', status: 200, body: { id: 'I-1', status: 'SURPRISE' } });
  await expect(connect().subscription('I-1')).rejects.toThrow('unknown format');
});

it('PayPal client: creates product and plan once, and finds them the next time', async () => {
  const plan = await ensurePlan(connect());
  expect(await ensurePlan(connect())).toBe(plan);
  expect(paypal.plans.size).toBe(1);
  expect(paypal.plans.get(plan)?.billing_cycles).toMatchObject([
    {
      tenure_type: 'REGULAR',
      frequency: { interval_unit: 'MONTH', interval_count: 1 },
      pricing_scheme: { fixed_price: { value: '4.99', currency_code: 'USD' } },
    },
  ]);
});

it('PayPal setup script: creates the plan and prints the settings', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', 'scripts/paypal-setup.ts'],
    { env: { ...process.env, ...paypal.env, PAYPAL_WEBHOOK_ID: '', PUBLIC_URL: 'https://g.example' } },
  );
  expect(stdout).toContain(`PAYPAL_WEBHOOK_ID=${paypal.webhookId}`);
  expect(stdout).toContain(`PAYPAL_PLAN_ID=${[...paypal.plans.keys()][0]}`);
  expect(paypal.webhookUrl).toBe('https://g.example/api/payment/paypal/webhook');
});

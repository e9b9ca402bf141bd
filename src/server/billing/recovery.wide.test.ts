import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PayPalDouble } from '../../../tests/doubles/paypal.ts';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { freePort } from '../../../tests/support/free-port.ts';
import { PASSWORD, PRICE } from '../../../tests/support/people.ts';

let dataDir: string;
let paypal: PayPalDouble;
let port: number;
let server: ChildProcess | undefined;
const url = () => `http://127.0.0.1:${port}`;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-recovery-'));
  port = await freePort();
  paypal = await PayPalDouble.start();
});
afterEach(async () => {
  await kill();
  await paypal.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const child = spawn(process.execPath, [compiledFileOf('tests/support/killable-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...paypal.env, DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: url() },
  });
  server = child;
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

async function kill(): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server?.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

function post(path: string, body: object, cookie = ''): Promise<Response> {
  return fetch(url() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}

async function welcomeMails(): Promise<string[]> {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    files.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return mails.filter((mail) => mail.includes('Subject: Welcome'));
}

it('a server killed between payment and account completes the registration exactly once after a restart', async () => {
  await start();
  const registered = await post('/api/register', {
    username: 'anna',
    email: 'anna@example.org',
    password: PASSWORD,
  });
  expect(registered.status).toBe(402);
  const cookie = registered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const started = await post('/api/payment/paypal', { email: 'anna@example.org', ...PRICE }, cookie);
  expect(await started.json()).toMatchObject({ status: 'approval' });
  const [id = ''] = paypal.subscriptions.keys();
  const back = paypal.approve(id);

  // The money is taken, and the server waits for PayPal's answer.
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  paypal.fault(/GET .*\/subscriptions\//, { kind: 'hold', until });
  const cut = fetch(back, { redirect: 'manual', headers: { cookie } }).catch(() => 'cut off');
  await expect.poll(() => paypal.calls.at(-1)).toContain('GET /v1/billing/subscriptions/');
  await kill();
  release();
  expect(await cut).toBe('cut off');
  expect(await welcomeMails()).toHaveLength(0);

  await start();
  const login = () => post('/api/login', { username: 'anna', password: PASSWORD });
  await expect.poll(welcomeMails).toHaveLength(1);
  expect(await (await login()).json()).toMatchObject({ user: { isPremium: true } });

  // Everything in progress is repeated: the browser's return, the webhooks, and another start.
  const again = await fetch(back, { redirect: 'manual', headers: { cookie } });
  expect(again.headers.get('location')).toBe('/?payment=registered');
  paypal.webhookUrl = `${url()}/api/payment/paypal/webhook`;
  for (const event of paypal.events) expect(await paypal.deliver(event)).toBe(200);
  await kill();
  await start();
  for (const event of paypal.events) expect(await paypal.deliver(event)).toBe(200);
  expect(await (await login()).json()).toMatchObject({ user: { isPremium: true } });
  expect(await welcomeMails()).toHaveLength(1);
});

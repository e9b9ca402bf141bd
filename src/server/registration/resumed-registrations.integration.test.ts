import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PayPalDouble } from '../../../tests/doubles/paypal.ts';
import { type Browser, createBrowser, PASSWORD } from '../../../tests/support/people.ts';
import {
  CHEAP_HASHER,
  createTestClock,
  startTestServer,
  type TestServer,
} from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../tests/support/server-databases.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The subscription id of the PayPal page that the browser was redirected to. */
async function startPaying(browser: Browser, email: string, paypal: PayPalDouble): Promise<string> {
  const { approvalUrl } = (await browser.pay(email)).json<{ approvalUrl: string }>();
  const token = new URL(approvalUrl).searchParams.get('ba_token');
  const subscription = [...paypal.subscriptions.values()].find(({ baToken }) => baToken === token);
  if (!subscription) throw new Error('the approval URL is unknown');
  return subscription.id;
}

describe.each(DEFAULT_DATABASES)('an unpaid registration (%s)', (database) => {
  const clock = createTestClock();
  /** All passwords that were compared. */
  const comparedPasswords: string[] = [];
  const passwordHasher: typeof CHEAP_HASHER = {
    hash: (password) => CHEAP_HASHER.hash(password),
    matches(kept, password) {
      comparedPasswords.push(password);
      return CHEAP_HASHER.matches(kept, password);
    },
  };
  let paypal: PayPalDouble;
  let server: TestServer;
  beforeAll(async () => {
    paypal = await PayPalDouble.start({ now: () => clock.now() });
    server = await startTestServer({ database, clock, env: paypal.env, passwordHasher });
  });
  afterAll(async () => {
    await server.close();
    await paypal.close();
  });
  const browser = () => createBrowser(server.app);
  const pendingRegistrationOf = async (one: Browser) => (await one.get('/api/payment')).json().payingFor;
  const drop = (one: Browser) => one.post('/api/registration/drop');
  const refusal = async (one: Browser, ...input: Parameters<Browser['register']>) => {
    const { statusCode, body } = await one.register(...input);
    return { statusCode, body };
  };

  describe('in the browser that started it', () => {
    it('is shown with its address and expiry', async () => {
      const ada = browser();
      await ada.register('ada');
      expect(await pendingRegistrationOf(ada)).toEqual({
        kind: 'registration',
        username: 'ada',
        email: 'ada@example.org',
        keptUntil: new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString(),
        underWay: false,
        lost: false,
      });
      expect(await pendingRegistrationOf(browser())).toBeNull();
    });

    it('shows an open payment, and continues it', async () => {
      const ben = browser();
      await ben.register('ben');
      const first = (await ben.pay('ben@example.org')).json();
      expect(await pendingRegistrationOf(ben)).toMatchObject({ username: 'ben', underWay: true });
      expect((await ben.pay('ben@example.org')).json()).toEqual(first);
    });

    it('is shown as finished if the payment arrived while the browser was closed', async () => {
      const cora = browser();
      await cora.register('cora');
      paypal.approve(await startPaying(cora, 'cora@example.org', paypal));
      clock.advance(HOUR_MS);
      await server.sweep();
      expect((await cora.get('/api/payment')).json()).toMatchObject({
        payingFor: null,
        finished: { username: 'cora' },
      });
      expect((await cora.login('cora')).statusCode).toBe(200);
      await cora.post('/api/logout');
      expect((await cora.get('/api/payment')).json()).toMatchObject({ finished: null });
    });

    it('can be dropped, which frees its name at once', async () => {
      const dora = browser();
      await dora.register('dora');
      expect((await drop(dora)).statusCode).toBe(200);
      expect(await pendingRegistrationOf(dora)).toBeNull();
      expect((await dora.pay('dora@example.org')).statusCode).toBe(409);
      expect(
        await server.database
          .selectFrom('registrations')
          .select('id')
          .where('username', '=', 'dora')
          .execute(),
      ).toEqual([]);
      expect((await browser().register('dora', 'another-dora@example.org')).statusCode).toBe(402);
    });

    it('still becomes an account if its payment arrives after it was dropped', async () => {
      const emma = browser();
      await emma.register('emma');
      const id = await startPaying(emma, 'emma@example.org', paypal);
      expect((await drop(emma)).statusCode).toBe(200);
      paypal.approve(id);
      clock.advance(HOUR_MS);
      await server.sweep();
      expect((await browser().login('emma')).statusCode).toBe(200);
    });

    it('cannot be dropped once it is paid and only needs another name', async () => {
      const email = 'shared-fred@example.org';
      const [slow, fast] = [browser(), browser()];
      await slow.register('fred-slow', email);
      await fast.register('fred-fast', email);
      const slowId = await startPaying(slow, email, paypal);
      const fastId = await startPaying(fast, email, paypal);
      for (const [one, id] of [
        [fast, fastId],
        [slow, slowId],
      ] as const) {
        const { pathname, search } = new URL(paypal.approve(id));
        await one.get(pathname + search);
      }
      expect((await drop(slow)).statusCode).toBe(409);
      expect((await slow.get('/api/payment')).json().claim).toMatchObject({ emailTaken: true });
    });

    it('cannot be dropped by another browser', async () => {
      await browser().register('gina');
      expect((await drop(browser())).statusCode).toBe(200);
      expect((await browser().register('gina', 'stranger@example.org')).statusCode).toBe(409);
    });
  });

  describe('from another browser', () => {
    it('is taken over with the same name, address and password', async () => {
      const [first, second] = [browser(), browser()];
      await first.register('hanna');
      const answer = await second.register('HANNA', 'Hanna@example.org');
      expect(answer.statusCode).toBe(402);
      expect(await pendingRegistrationOf(second)).toMatchObject({
        username: 'HANNA',
        email: 'Hanna@example.org',
      });
      expect(await pendingRegistrationOf(first)).toBeNull();
      expect((await first.pay('hanna@example.org')).statusCode).toBe(409);
      const { pathname, search } = new URL(
        paypal.approve(await startPaying(second, 'hanna@example.org', paypal)),
      );
      expect((await second.get(pathname + search)).headers.location).toBe('/?payment=registered');
      expect((await browser().login('hanna')).statusCode).toBe(200);
    });

    it('gives the same answer for a wrong password, a wrong address and an account’s name', async () => {
      await browser().register('iris');
      const stranger = () => browser();
      const wrongPassword = await refusal(stranger(), 'iris', 'iris@example.org', 'not the pass phrase');
      const wrongAddress = await refusal(stranger(), 'iris', 'other@example.org', PASSWORD);
      const account = await refusal(stranger(), 'hanna', 'other@example.org', PASSWORD);
      expect(wrongPassword.statusCode).toBe(409);
      expect(wrongPassword.body).toContain('This username is already taken.');
      expect(wrongPassword.body).toContain('24 hours');
      expect(wrongAddress).toEqual(wrongPassword);
      expect(account).toEqual(wrongPassword);
    });

    it('stays with the first browser after wrong guesses, which are rate-limited regardless of the address', async () => {
      const owner = browser();
      await owner.register('judy');
      comparedPasswords.length = 0;
      for (let guess = 0; guess < 12; guess++) {
        const email = guess % 2 === 0 ? 'judy@example.org' : 'somebody@example.org';
        expect((await browser().register('judy', email, `guess number ${guess}`)).statusCode).toBe(409);
      }
      expect(comparedPasswords).toHaveLength(10);
      expect((await browser().register('judy')).statusCode).toBe(409);
      expect(await pendingRegistrationOf(owner)).toMatchObject({ username: 'judy' });
      clock.advance(HOUR_MS);
      expect((await browser().register('judy')).statusCode).toBe(402);
    });

    it('does the same hashing work for a wrong address and a wrong password', async () => {
      await browser().register('kate');
      const looks = async (username: string, email: string) => {
        comparedPasswords.length = 0;
        expect((await browser().register(username, email, 'some other phrase')).statusCode).toBe(409);
        return comparedPasswords.length;
      };
      expect(await looks('kate', 'kate@example.org')).toBe(1);
      expect(await looks('kate', 'nobody@example.org')).toBe(1);
    });

    it('is not taken over during an open payment, which is revealed to its owner only', async () => {
      const [first, second] = [browser(), browser()];
      await first.register('lena');
      const id = await startPaying(first, 'lena@example.org', paypal);
      const proven = await second.register('lena');
      expect(proven.statusCode).toBe(409);
      expect(proven.json().error).toContain('A payment for this registration was started in another browser');
      expect(
        (await browser().register('lena', 'lena@example.org', 'wrong pass phrase')).json().error,
      ).not.toContain('another browser and may');
      expect(await pendingRegistrationOf(second)).toBeNull();
      const { pathname, search } = new URL(paypal.approve(id));
      expect((await first.get(pathname + search)).headers.location).toBe('/?payment=registered');
    });

    it('is finished instead of taken over if its payment arrived without a webhook', async () => {
      const first = browser();
      await first.register('maya');
      paypal.approve(await startPaying(first, 'maya@example.org', paypal));
      const answer = await browser().register('maya');
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error).toContain('Please sign in');
      expect((await browser().login('maya')).statusCode).toBe(200);
    });

    it('is taken over once the payment was cancelled', async () => {
      const [first, second] = [browser(), browser()];
      await first.register('nele');
      const id = await startPaying(first, 'nele@example.org', paypal);
      paypal.subscriptions.delete(id);
      expect((await second.register('nele')).statusCode).toBe(402);
      expect(await pendingRegistrationOf(second)).toMatchObject({ username: 'nele', underWay: false });
    });

    it('goes to one of two browsers that take it over in parallel', async () => {
      await browser().register('olga');
      const both = [browser(), browser()];
      const statuses = await Promise.all(both.map(async (one) => (await one.register('olga')).statusCode));
      expect(statuses.every((status) => status === 402 || status === 409)).toBe(true);
      const holders = (await Promise.all(both.map(pendingRegistrationOf))).filter(
        (waiting) => waiting && !waiting.lost,
      );
      expect(holders).toHaveLength(1);
    });
  });
});

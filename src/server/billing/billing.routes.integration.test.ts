import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PayPalDouble, type PayPalEvent } from '../../../tests/doubles/paypal.ts';
import {
  type Browser,
  createBrowser,
  createMember,
  mailTo,
  PASSWORD,
  PRICE,
  tokenIn,
} from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { BOTH_DATABASES } from '../../../tests/support/server-databases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WEBHOOK = '/api/payment/paypal/webhook';

/** The subscription id of the PayPal page that the browser was redirected to. */
async function startPaying(browser: Browser, email: string, paypal: PayPalDouble): Promise<string> {
  const response = await browser.pay(email);
  expect(response.json()).toMatchObject({ status: 'approval' });
  const { approvalUrl } = response.json<{ approvalUrl: string }>();
  const token = new URL(approvalUrl).searchParams.get('ba_token');
  const subscription = [...paypal.subscriptions.values()].find(({ baToken }) => baToken === token);
  if (!subscription) throw new Error('the approval URL is unknown');
  return subscription.id;
}

/** The payer approves and returns. Returns the final address of the browser. */
async function approveAndReturn(browser: Browser, id: string, paypal: PayPalDouble): Promise<string> {
  const { pathname, search } = new URL(paypal.approve(id));
  const response = await browser.get(pathname + search);
  expect(response.statusCode).toBe(303);
  return response.headers.location ?? '';
}

describe.each(BOTH_DATABASES)('payment by PayPal (%s)', (database) => {
  const clock = createTestClock();
  let paypal: PayPalDouble;
  let server: TestServer;
  beforeAll(async () => {
    paypal = await PayPalDouble.start({ now: () => clock.now() });
    server = await startTestServer({ database, clock, env: paypal.env });
  });
  beforeEach(() => {
    paypal.events.length = 0;
  });
  afterAll(async () => {
    await server.close();
    await paypal.close();
  });
  const browser = () => createBrowser(server.app);
  const deliver = async (event: PayPalEvent | undefined, forge = false) => {
    if (!event) throw new Error('no such event');
    const response = await server.app.inject({
      method: 'POST',
      url: WEBHOOK,
      payload: event.body,
      headers: { 'content-type': 'application/json', ...paypal.sign(event.body, forge) },
    });
    return response.statusCode;
  };
  const eventOf = (type: string) => paypal.events.findLast(({ event_type }) => event_type === type);
  /** The mails that were sent to the address once no mail waits. */
  const mailsTo = async (to: string, subject: RegExp) => {
    await server.services.mails.deliver();
    return server.mails.filter((mail) => mail.to === to && subject.test(mail.subject));
  };

  /** A user who registered, paid and signed in. */
  async function subscriber(username: string): Promise<{ browser: Browser; id: string }> {
    const person = browser();
    await person.register(username);
    const id = await startPaying(person, `${username}@example.org`, paypal);
    expect(await approveAndReturn(person, id, paypal)).toBe('/?payment=registered');
    expect((await person.login(username)).statusCode).toBe(200);
    return { browser: person, id };
  }

  it('creates the account when the payer returns, and shows the registration until then', async () => {
    const anna = browser();
    await anna.register('anna');
    expect((await anna.get('/api/payment')).json()).toEqual({
      provider: 'paypal',
      payingFor: {
        kind: 'registration',
        username: 'anna',
        email: 'anna@example.org',
        keptUntil: '2026-05-05T10:00:00.000Z',
        underWay: false,
        lost: false,
      },
      finished: null,
      claim: null,
    });
    const id = await startPaying(anna, 'ANNA@example.org', paypal);
    expect((await anna.login('anna')).statusCode).toBe(401);
    expect(await approveAndReturn(anna, id, paypal)).toBe('/?payment=registered');
    expect((await anna.login('anna')).json()).toMatchObject({ user: { isPremium: true } });
  });

  it.each([
    [{ amount: '4.98', currency: 'USD' }],
    [{ amount: '4.99', currency: 'EUR' }],
    [{ amount: 4.99, currency: 'USD' }],
    [{}],
  ])('does not let the caller choose the price: %j is 400', async (price) => {
    const person = browser();
    await person.register('price-chooser');
    expect((await person.pay('price-chooser@example.org', price)).statusCode).toBe(400);
  });

  it('requests the address with the specified message', async () => {
    const response = await browser().pay('');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      error: 'Please enter your email address to continue with payment.',
      code: 'billing.email_required',
    });
  });

  it('starts no payment without a registration or a user', async () => {
    const before = paypal.subscriptions.size;
    const response = await browser().pay('somebody@example.org');
    expect(response.statusCode).toBe(409);
    expect(response.json().error).toContain('register first');
    expect(paypal.subscriptions.size).toBe(before);
  });

  it('starts no payment for another address than the account’s', async () => {
    const person = browser();
    await person.register('bert');
    expect((await person.pay('somebody.else@example.org')).statusCode).toBe(409);
  });

  it('starts one subscription for repeated and parallel requests', async () => {
    const carl = browser();
    await carl.register('carl');
    const before = paypal.subscriptions.size;
    const answers = await Promise.all(Array.from({ length: 5 }, () => carl.pay('carl@example.org')));
    const again = await carl.pay('carl@example.org');
    const urls = [...answers, again].map((answer) => answer.json<{ approvalUrl: string }>().approvalUrl);
    expect(new Set(urls).size).toBe(1);
    expect(paypal.subscriptions.size).toBe(before + 1);
  });

  it('resumes the same subscription after PayPal’s answer was lost', async () => {
    const dirk = browser();
    await dirk.register('dirk');
    const before = paypal.subscriptions.size;
    paypal.fault(/POST .*\/subscriptions$/, { kind: 'lost-answer' });
    await startPaying(dirk, 'dirk@example.org', paypal);
    expect(paypal.subscriptions.size).toBe(before + 1);
  });

  it('reports an outage of PayPal, charges nothing, and works when it is back', async () => {
    const emma = browser();
    await emma.register('emma');
    paypal.fault(/POST .*\/subscriptions$/, { kind: 'status', status: 503 }, 3);
    const response = await emma.pay('emma@example.org');
    expect(response.statusCode).toBe(502);
    expect(response.json().error).toContain('Nothing was charged');
    const id = await startPaying(emma, 'emma@example.org', paypal);
    expect(await approveAndReturn(emma, id, paypal)).toBe('/?payment=registered');
  });

  it('renews an expired PayPal token', async () => {
    const fred = browser();
    await fred.register('fred');
    paypal.expireTokens();
    await startPaying(fred, 'fred@example.org', paypal);
  });

  it('accepts the return of a payer who cancels, and lets them pay later', async () => {
    const gabi = browser();
    await gabi.register('gabi');
    const id = await startPaying(gabi, 'gabi@example.org', paypal);
    const { pathname, search } = new URL(paypal.subscriptions.get(id)?.cancelUrl ?? '');
    expect((await gabi.get(pathname + search)).headers.location).toBe('/?payment=cancelled');
    expect(await startPaying(gabi, 'gabi@example.org', paypal)).toBe(id);
    expect(await approveAndReturn(gabi, id, paypal)).toBe('/?payment=registered');
  });

  it('a repeated or parallel return of one browser has the same outcome', async () => {
    const twice = browser();
    await twice.register('twice');
    const { pathname, search } = new URL(
      paypal.approve(await startPaying(twice, 'twice@example.org', paypal)),
    );
    const cookie = [...twice.cookies].map((pair) => pair.join('=')).join('; ');
    const both = await Promise.all([1, 2].map(() => twice.get(pathname + search, { cookie })));
    const again = [...both, await twice.get(pathname + search), await twice.get(pathname + search)];
    expect(again.map(({ headers }) => headers.location)).toEqual(again.map(() => '/?payment=registered'));
    expect((await twice.get('/api/payment')).json(), 'the registration is let go').toMatchObject({
      payingFor: null,
    });
    expect((await browser().get(pathname + search)).headers.location, 'another browser').toBe(
      '/?payment=failed',
    );
    expect((await twice.login('twice')).statusCode).toBe(200);
    expect(paypal.subscriptions.size).toBeGreaterThan(0);
    const paid = server.database.selectFrom('users').where('username', '=', 'twice');
    expect(await paid.select('id').execute()).toHaveLength(1);
  });

  it('ignores a return that PayPal does not confirm', async () => {
    const hugo = browser();
    await hugo.register('hugo');
    const id = await startPaying(hugo, 'hugo@example.org', paypal);
    const { pathname, search } = new URL(paypal.subscriptions.get(id)?.returnUrl ?? '');
    expect((await hugo.get(pathname + search)).headers.location).toBe('/?payment=waiting');
    expect((await hugo.login('hugo')).statusCode).toBe(401);
  });

  it('gives another browser nothing for a return that it did not start', async () => {
    const inga = browser();
    await inga.register('inga');
    const id = await startPaying(inga, 'inga@example.org', paypal);
    const thief = browser();
    await thief.register('thief');
    expect(await approveAndReturn(thief, id, paypal)).toBe('/?payment=failed');
    expect((await thief.login('thief')).statusCode).toBe(401);
    const own = new URL(paypal.subscriptions.get(id)?.returnUrl ?? '');
    expect((await inga.get(own.pathname + own.search)).headers.location).toBe('/?payment=registered');
  });

  it('ignores a subscription of another plan or amount, despite the right payment id', async () => {
    const jule = browser();
    await jule.register('jule');
    const id = await startPaying(jule, 'jule@example.org', paypal);
    const subscription = paypal.subscriptions.get(id);
    const [plan] = [...paypal.plans.values()];
    if (!subscription || !plan) throw new Error('nothing was started');
    const cheap = structuredClone(plan);
    cheap.id = 'P-CHEAP';
    for (const cycle of cheap.billing_cycles) cycle.pricing_scheme.fixed_price.value = '0.01';
    paypal.plans.set(cheap.id, cheap);
    subscription.plan_id = cheap.id;
    expect(await approveAndReturn(jule, id, paypal)).toBe('/?payment=failed');
    await deliver(eventOf('BILLING.SUBSCRIPTION.ACTIVATED'));
    expect((await jule.login('jule')).statusCode).toBe(401);
  });

  describe('webhooks', () => {
    it('complete a registration whose browser never returned, and send a mail', async () => {
      const karl = browser();
      await karl.register('karl');
      paypal.approve(await startPaying(karl, 'karl@example.org', paypal));
      expect(await deliver(eventOf('BILLING.SUBSCRIPTION.ACTIVATED'))).toBe(200);
      await mailTo(server.mails, 'karl@example.org', /Welcome/);
      expect((await browser().login('karl')).statusCode).toBe(200);
    });

    it('are applied once, in any order and number, interleaved with the browser', async () => {
      for (const order of [
        [0, 1],
        [1, 0],
        [1, 0, 1, 0, 0, 1],
      ]) {
        paypal.events.length = 0;
        const name = `order-${order.join('')}`;
        const person = browser();
        await person.register(name);
        const id = await startPaying(person, `${name}@example.org`, paypal);
        const back = approveAndReturn(person, id, paypal);
        const statuses = await Promise.all([back, ...order.map((index) => deliver(paypal.events[index]))]);
        expect(statuses.slice(1)).toEqual(order.map(() => 200));
        for (const index of order) expect(await deliver(paypal.events[index])).toBe(200);
        expect(await mailsTo(`${name}@example.org`, /receipt/)).toHaveLength(1);
        expect(await mailsTo(`${name}@example.org`, /Welcome/)).toHaveLength(1);
        expect((await browser().login(name)).statusCode).toBe(200);
      }
    });

    it('are rejected if they are forged, changed, unsigned or not JSON', async () => {
      const lisa = browser();
      await lisa.register('lisa');
      paypal.approve(await startPaying(lisa, 'lisa@example.org', paypal));
      const event = eventOf('BILLING.SUBSCRIPTION.ACTIVATED');
      if (!event) throw new Error('no event');
      expect(await deliver(event, true)).toBe(400);
      const changed = await server.app.inject({
        method: 'POST',
        url: WEBHOOK,
        payload: event.body.replace('ACTIVE', 'ACTIV3'),
        headers: paypal.sign(event.body),
      });
      expect(changed.statusCode).toBe(400);
      for (const payload of [event.body, 'no json', '']) {
        const response = await server.app.inject({ method: 'POST', url: WEBHOOK, payload });
        expect(response.statusCode).toBe(400);
      }
      expect((await browser().login('lisa')).statusCode).toBe(401);
      expect(await deliver(event)).toBe(200);
      expect((await browser().login('lisa')).statusCode).toBe(200);
    });

    it('are rejected for redelivery while PayPal is unavailable', async () => {
      const mark = browser();
      await mark.register('mark');
      paypal.approve(await startPaying(mark, 'mark@example.org', paypal));
      paypal.fault(/GET .*\/subscriptions\//, { kind: 'status', status: 500 }, 3);
      const event = eventOf('BILLING.SUBSCRIPTION.ACTIVATED');
      expect(await deliver(event)).toBe(502);
      expect(await deliver(event)).toBe(200);
      expect((await browser().login('mark')).statusCode).toBe(200);
    });

    it("about another user's subscription are accepted and change nothing", async () => {
      const { id } = await subscriber('nina');
      const subscription = paypal.subscriptions.get(id);
      if (subscription) subscription.custom_id = 'not-one-of-ours';
      paypal.cancel(id);
      expect(await deliver(eventOf('BILLING.SUBSCRIPTION.CANCELLED'))).toBe(200);
    });
  });

  describe('two browsers that register the same address', () => {
    const both = async (tag: string) => {
      const email = `${tag}@example.org`;
      const [first, second] = [browser(), browser()];
      expect((await first.register(`${tag}-one`, email, 'first pass phrase')).statusCode).toBe(402);
      expect((await second.register(`${tag}-two`, email, 'second pass phrase')).statusCode).toBe(402);
      return { first, second, email };
    };

    it('each pay for their own registration: the first becomes the account, the second is not charged', async () => {
      const { first, second, email } = await both('same-a');
      const id = await startPaying(first, email, paypal);
      expect(await approveAndReturn(first, id, paypal)).toBe('/?payment=registered');
      const before = paypal.subscriptions.size;
      expect((await second.pay(email)).statusCode).toBe(409);
      expect(paypal.subscriptions.size).toBe(before);
      expect((await browser().login('same-a-one', 'first pass phrase')).statusCode).toBe(200);
      expect((await browser().login(email, 'second pass phrase')).statusCode).toBe(401);
      expect((await browser().login('same-a-two', 'second pass phrase')).statusCode).toBe(401);
    });

    it('both approve: one gets the address, and the other payer chooses another address in the same browser', async () => {
      const { first, second, email } = await both('same-b');
      const one = await startPaying(first, email, paypal);
      const two = await startPaying(second, email, paypal);
      expect(await approveAndReturn(second, two, paypal)).toBe('/?payment=registered');
      expect(await approveAndReturn(first, one, paypal)).toBe('/?payment=claim');
      expect((await first.get('/api/payment')).json()).toMatchObject({
        claim: { username: 'same-b-one', emailTaken: true, usernameTaken: false },
      });
      expect((await browser().login('same-b-one', 'first pass phrase')).statusCode).toBe(401);
      const before = paypal.subscriptions.size;
      expect(
        (await first.register('same-b-one', 'mine@same-b.example', 'first pass phrase')).statusCode,
      ).toBe(402);
      expect((await first.pay('mine@same-b.example')).json()).toEqual({
        status: 'completed',
        kind: 'registration',
      });
      expect(paypal.subscriptions.size).toBe(before);
      for (const [name, password] of [
        ['same-b-one', 'first pass phrase'],
        ['same-b-two', 'second pass phrase'],
      ] as const) {
        const answer = await browser().login(name, password);
        expect(answer.json()).toMatchObject({ user: { isPremium: true } });
      }
    });

    it('both approve and neither returns: the payer without the address claims the account by mail', async () => {
      const { first, second, email } = await both('same-c');
      const one = await startPaying(first, email, paypal);
      const two = await startPaying(second, email, paypal);
      paypal.payerEmail = 'payer-one@same-c.example';
      paypal.approve(one);
      paypal.payerEmail = 'payer-two@same-c.example';
      paypal.approve(two);
      const events = [...paypal.events];
      for (const event of [...events, ...events.reverse()]) expect(await deliver(event)).toBe(200);

      const mail = await mailTo(server.mails, 'payer-two@same-c.example', /finish your registration/);
      expect(await mailsTo('payer-two@same-c.example', /finish/)).toHaveLength(1);
      expect(await mailsTo(email, /finish/)).toHaveLength(0);
      const token = tokenIn(mail, 'claim');
      const anywhere = browser();
      expect((await anywhere.post('/api/payment/claim/preview', { token })).json()).toEqual({
        username: 'same-c-two',
        email,
        usernameTaken: false,
        emailTaken: true,
        needsPassword: false,
      });
      const claim = (choice: object) => anywhere.post('/api/payment/claim', { token, ...choice });
      expect((await claim({})).statusCode).toBe(409);
      expect((await claim({ email: 'two@same-c.example', username: 'same-c-one' })).statusCode).toBe(409);
      const answers = await Promise.all(
        Array.from({ length: 3 }, () =>
          claim({ email: 'two@same-c.example', password: 'third pass phrase' }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
      expect((await browser().login('same-c-two', 'third pass phrase')).json()).toMatchObject({
        user: { isPremium: true, email: 'two@same-c.example' },
      });
      expect((await browser().login('same-c-one', 'first pass phrase')).statusCode).toBe(200);
    });
  });

  it('lets a payer whose name was taken meanwhile choose another', async () => {
    const slow = browser();
    paypal.payerEmail = 'slow@paypal.example';
    await slow.register('slowpoke');
    const id = await startPaying(slow, 'slowpoke@example.org', paypal);
    clock.advance(80 * 60 * 60 * 1000);
    await server.sweep();
    const quick = await createPayPalMember('slowpoke', 'quick@example.org');
    expect(quick).toBe('/?payment=registered');
    expect(await approveAndReturn(slow, id, paypal)).toBe('/?payment=claim');
    const token = tokenIn(await mailTo(server.mails, paypal.payerEmail, /finish/), 'claim');
    const claim = await slow.post('/api/payment/claim', { token, username: 'slow-and-steady' });
    expect(claim.statusCode).toBe(200);
    expect((await browser().login('slow-and-steady')).statusCode).toBe(200);
  });
  async function createPayPalMember(username: string, email: string) {
    const person = browser();
    await person.register(username, email);
    return approveAndReturn(person, await startPaying(person, email, paypal), paypal);
  }

  describe('a subscription', () => {
    it('renews, with a receipt for each month', async () => {
      const { browser: otto, id } = await subscriber('otto');
      clock.advance(30 * DAY_MS);
      paypal.collect(id);
      expect(await deliver(eventOf('PAYMENT.SALE.COMPLETED'))).toBe(200);
      await mailTo(server.mails, 'otto@example.org', /receipt/);
      clock.advance(20 * DAY_MS);
      await otto.login('otto');
      expect(await otto.user()).toMatchObject({ isPremium: true });
    });

    it('renews without a webhook', async () => {
      const { browser: petra, id } = await subscriber('petra');
      clock.advance(32 * DAY_MS);
      paypal.collect(id);
      await server.sweep();
      clock.advance(20 * DAY_MS);
      await petra.login('petra');
      expect(await petra.user()).toMatchObject({ isPremium: true });
    });

    it('whose renewal fails has three days of grace, and continues when it is paid', async () => {
      const { browser: rolf, id } = await subscriber('rolf');
      clock.advance(32 * DAY_MS);
      paypal.failRenewal(id);
      expect(await deliver(eventOf('BILLING.SUBSCRIPTION.PAYMENT.FAILED'))).toBe(200);
      await rolf.login('rolf');
      expect(await rolf.user()).toMatchObject({ isPremium: true });
      clock.advance(3 * DAY_MS);
      expect(await rolf.user()).toMatchObject({ isPremium: false });
      expect(await rolf.usage()).toMatchObject({ dailyLimit: 3, period: 'day' });
      paypal.failRenewal(id);
      expect(await deliver(eventOf('BILLING.SUBSCRIPTION.SUSPENDED'))).toBe(200);
      expect(await rolf.user()).toMatchObject({ isPremium: false });
      paypal.collect(id);
      expect(await deliver(eventOf('PAYMENT.SALE.COMPLETED'))).toBe(200);
      expect(await rolf.user()).toMatchObject({ isPremium: true });
    });

    it('that is cancelled here is cancelled at PayPal, and lasts until the period ends', async () => {
      const { browser: sara, id } = await subscriber('sara');
      const answer = await sara.post('/api/subscription/cancel');
      expect(answer.json()).toMatchObject({ subscription: { status: 'cancelled', premium: true } });
      expect(paypal.subscriptions.get(id)?.status).toBe('CANCELLED');
      for (const event of paypal.events) await deliver(event);
      expect(await mailsTo('sara@example.org', /cancelled/)).toHaveLength(1);
      clock.advance(27 * DAY_MS);
      await sara.login('sara');
      expect(await sara.user()).toMatchObject({ isPremium: true });
      clock.advance(5 * DAY_MS);
      expect(await sara.user()).toMatchObject({ isPremium: false });
      expect((await sara.get('/api/subscription')).json()).toMatchObject({
        subscription: { status: 'ended' },
      });
      expect((await sara.post('/api/subscription/cancel')).statusCode).toBe(409);
    });

    it('that is cancelled at PayPal lasts until the period ends, even if events arrive in the wrong order', async () => {
      const { browser: till, id } = await subscriber('till');
      paypal.cancel(id);
      for (const event of [...paypal.events].reverse()) expect(await deliver(event)).toBe(200);
      expect((await till.get('/api/subscription')).json()).toMatchObject({
        subscription: { status: 'cancelled', premium: true },
      });
      expect(await mailsTo('till@example.org', /cancelled/)).toHaveLength(1);
    });

    it('that is refunded ends, and is cancelled at the provider', async () => {
      const { browser: ute, id } = await subscriber('ute');
      paypal.refund(paypal.subscriptions.get(id)?.sales[0] ?? '');
      expect(await deliver(eventOf('PAYMENT.SALE.REFUNDED'))).toBe(200);
      expect(await ute.user()).toMatchObject({ isPremium: false });
      expect(paypal.subscriptions.get(id)?.status).toBe('CANCELLED');
      for (const event of paypal.events) await deliver(event);
      expect(await ute.user()).toMatchObject({ isPremium: false });
    });

    it('cannot be paid twice: a second payment gets 409', async () => {
      const { browser: veit } = await subscriber('veit');
      const response = await veit.pay('veit@example.org');
      expect(response.statusCode).toBe(409);
      expect(response.json().error).toContain('already have premium');
    });

    it('can be started again by a signed-in free user, with an empty quota', async () => {
      const { browser: wanda } = await subscriber('wanda');
      await wanda.post('/api/subscription/cancel');
      await wanda.upload();
      clock.advance(40 * DAY_MS);
      await wanda.login('wanda');
      const id = await startPaying(wanda, 'wanda@example.org', paypal);
      expect(await approveAndReturn(wanda, id, paypal)).toBe('/?payment=upgraded');
      expect(await wanda.user()).toMatchObject({ isPremium: true });
      expect(await wanda.usage()).toMatchObject({ imageCount: 0, dailyLimit: 1500 });
    });

    it('is cancelled at PayPal when its account is deleted', async () => {
      const { browser: xenia, id } = await subscriber('xenia');
      const body = { username: 'xenia', currentPassword: PASSWORD };
      expect((await xenia.post('/api/account/delete', body)).statusCode).toBe(200);
      expect(paypal.subscriptions.get(id)?.status).toBe('CANCELLED');
      for (const event of paypal.events) expect(await deliver(event)).toBe(200);
      expect((await browser().login('xenia')).statusCode).toBe(401);
    });

    it('keeps its account while PayPal is down and cannot cancel it', async () => {
      const { browser: york } = await subscriber('york');
      paypal.fault(/POST .*\/cancel$/, { kind: 'status', status: 500 }, 3);
      const body = { username: 'york', currentPassword: PASSWORD };
      expect((await york.post('/api/account/delete', body)).statusCode).toBe(502);
      expect(await york.user()).toMatchObject({ isPremium: true });
    });
  });
});

describe('the demo provider', () => {
  it.each([
    ['a server that listens on every address', { HOST: '0.0.0.0' }, '127.0.0.1', {}],
    ['a public address', { PUBLIC_URL: 'https://glyphlift.example' }, '127.0.0.1', {}],
    ['another machine', {}, '203.0.113.9', {}],
    ['a proxy in front', {}, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
  ])('is not offered on %s', async (_case, env, remoteAddress, headers) => {
    const server = await startTestServer({ env: env as Record<string, string> });
    const send = (method: 'GET' | 'POST', url: string, payload?: object) =>
      server.app.inject({ method, url, remoteAddress, headers, ...(payload && { payload }) });
    expect((await send('GET', '/api/payment')).json()).toMatchObject({ provider: null });
    const form = { username: 'anna', email: 'anna@example.org', password: PASSWORD };
    expect((await send('POST', '/api/register', form)).statusCode).toBe(503);
    await server.close();
  });

  it('is offered to everyone if it is configured explicitly', async () => {
    const server = await startTestServer({ env: { HOST: '0.0.0.0', PAYMENTS: 'demo' } });
    const response = await server.app.inject({ url: '/api/payment', remoteAddress: '203.0.113.9' });
    expect(response.json()).toMatchObject({ provider: 'demo' });
    await server.close();
  });

  it('creates one account for parallel requests', async () => {
    const server = await startTestServer();
    const anna = createBrowser(server.app);
    await anna.register('anna');
    const answers = await Promise.all(Array.from({ length: 5 }, () => anna.pay('anna@example.org', PRICE)));
    expect(answers.map((answer) => answer.json())).toEqual(
      Array(5).fill({ status: 'completed', kind: 'registration' }),
    );
    await server.services.mails.deliver();
    expect(server.mails.filter(({ subject }) => subject.includes('Welcome'))).toHaveLength(1);
    await server.close();
  });

  it('does not finish a payment after it was switched off', async () => {
    const server = await startTestServer();
    const anna = createBrowser(server.app);
    await anna.register('anna');
    const { id } = await server.database.selectFrom('registrations').select('id').executeTakeFirstOrThrow();
    const now = new Date().toISOString();
    await server.database
      .insertInto('payments')
      .values({
        id: 'begun-long-ago',
        registration_id: id,
        user_id: null,
        provider: 'demo',
        reference: null,
        open_key: `registration:${id}`,
        status: 'started',
        approval_url: null,
        ...PRICE,
        created_at: now,
        next_check_at: now,
      })
      .execute();
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    const body = { email: 'anna@example.org', ...PRICE };
    expect((await anna.post('/api/payment/paypal', body, elsewhere)).statusCode).toBe(503);
    expect((await anna.login('anna')).statusCode).toBe(401);
    expect((await anna.pay('anna@example.org')).statusCode).toBe(200);
    await server.close();
  });

  it('pays for the signed-in user even with a pending registration in the same browser', async () => {
    const clock = createTestClock();
    const server = await startTestServer({ clock });
    const anna = await createMember(server.app, 'anna');
    clock.advance(40 * DAY_MS);
    await anna.login('anna');
    await anna.register('second');
    expect((await anna.get('/api/payment')).json()).toMatchObject({
      payingFor: { kind: 'upgrade', username: 'anna' },
    });
    expect((await anna.pay('second@example.org')).statusCode).toBe(409);
    expect((await anna.pay('anna@example.org')).json()).toEqual({ status: 'completed', kind: 'upgrade' });
    await anna.post('/api/logout');
    expect((await anna.pay('second@example.org')).json()).toEqual({
      status: 'completed',
      kind: 'registration',
    });
    await server.close();
  });

  it('does not pay for the registration of another browser', async () => {
    const server = await startTestServer();
    const anna = createBrowser(server.app);
    await anna.register('anna');
    const { id } = await server.database.selectFrom('registrations').select('id').executeTakeFirstOrThrow();
    for (const forged of [id, `${id}.`, `${id}.invented`]) {
      const thief = createBrowser(server.app);
      thief.cookies.set('registration', encodeURIComponent(forged));
      expect((await thief.pay('anna@example.org')).statusCode).toBe(409);
      expect((await thief.get('/api/payment')).json()).toMatchObject({ payingFor: null });
    }
    await server.close();
  });

  it('renews month by month', async () => {
    const clock = createTestClock();
    const server = await startTestServer({ clock });
    const anna = await createMember(server.app, 'anna');
    clock.advance(32 * DAY_MS);
    await server.sweep();
    clock.advance(20 * DAY_MS);
    await anna.login('anna');
    expect(await anna.user()).toMatchObject({ isPremium: true });
    await server.close();
  });
});

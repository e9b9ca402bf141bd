import { describe, expect, it } from 'vitest';
import { createBrowser, createMember, mailTo, PASSWORD, tokenIn } from '../../../tests/support/people.ts';
import { createTestClock, sharedServer, startTestServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES, itOnce } from '../../../tests/support/server-databases.ts';

describe.each(DEFAULT_DATABASES)('accounts (%s)', (database) => {
  const clock = createTestClock();
  const server = sharedServer({ database, clock });
  const browser = () => createBrowser(server.app);

  describe('registering', () => {
    it.each([
      [{ username: '', email: '', password: '' }, 'Please fill in all fields'],
      [{ username: 'bea', email: 'bea@example.org' }, 'Please fill in all fields'],
      [{ username: 'bea', email: 'no address', password: PASSWORD }, 'Please enter a valid email address'],
      [
        { username: 'bea', email: 'bea@example.org', password: '12345' },
        'Password must be at least 6 characters long',
      ],
      [
        { username: 'bea', email: 'bea@example.org', password: 'x'.repeat(129) },
        'Password must be at most 128 characters long',
      ],
      [
        { username: 'bea', email: 'bea@example.org', password: 'Password1' },
        'This password is one of the most common ones. Please choose another.',
      ],
      [
        { username: 'bea', email: 'bea@example.org', password: 'ｐａｓｓｗｏｒｄ' },
        'This password is one of the most common ones. Please choose another.',
      ],
      [
        { username: 'beatrice', email: 'bea@example.org', password: 'Beatrice' },
        'This password is your username. Please choose another.',
      ],
      [
        { username: 'bea', email: 'beatrice@example.org', password: 'beatrice' },
        'This password is your email address, or its first part. Please choose another.',
      ],
      [
        { username: 'bea', email: 'bea@example.org', password: 'e\u0301e\u0301e\u0301e\u0301e\u0301' },
        'Password must be at least 6 characters long',
      ],
    ])('explains what is wrong with %j', async (body, error) => {
      const response = await browser().post('/api/register', body);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({ error, code: expect.any(String) });
    });

    it('answers 402 with the address, and creates no account before the payment', async () => {
      const anna = browser();
      const response = await anna.register('anna', ' Anna@Example.org ');
      expect(response.statusCode).toBe(402);
      expect(response.json()).toEqual({
        error: 'Payment required',
        code: 'accounts.payment_required',
        requiresPayment: true,
        email: 'Anna@Example.org',
      });
      expect((await anna.login('anna')).statusCode).toBe(401);
    });

    it('reserves the name, in any case, for the browser that registered it', async () => {
      const first = browser();
      expect((await first.register('Carla')).statusCode).toBe(402);
      expect((await first.register('carla')).statusCode).toBe(402);
      const second = await browser().register('CARLA', 'other@example.org');
      expect(second.statusCode).toBe(409);
      expect(second.json().error).toMatch(/^This username is already taken\. Please choose another\./);
    });

    it('frees a name when its browser registers another one', async () => {
      const first = browser();
      await first.register('dora');
      await first.register('dorothea');
      expect((await browser().register('dora', 'dora2@example.org')).statusCode).toBe(402);
    });

    it('frees a name without a payment after a day', async () => {
      await browser().register('emil');
      expect((await browser().register('emil', 'e2@example.org')).statusCode).toBe(409);
      clock.advance(24 * 60 * 60 * 1000 + 1);
      expect((await browser().register('emil', 'e2@example.org')).statusCode).toBe(402);
    });

    it('accepts one of twenty parallel registrations of a name, and rejects the others', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => browser().register('wanted', `w${index}@example.org`)),
      );
      const statuses = answers.map(({ statusCode }) => statusCode).sort();
      expect(statuses).toEqual([402, ...Array(19).fill(409)]);
    });

    it('refuses the address and the name of an account', async () => {
      await createMember(server.app, 'frida');
      expect((await browser().register('other', 'FRIDA@example.org')).json()).toEqual({
        error: 'This email address already has an account. Please sign in instead.',
        code: 'accounts.email_taken',
      });
      expect((await browser().register('Frida', 'other@example.org')).statusCode).toBe(409);
    });
  });

  describe('signing in', () => {
    it('works with the name in any case and with the address', async () => {
      await createMember(server.app, 'gustav');
      for (const name of ['gustav', 'GUSTAV', 'gustav@example.org']) {
        const response = await browser().login(name);
        expect(response.statusCode).toBe(200);
        expect(response.json()).toEqual({
          user: { username: 'gustav', email: 'gustav@example.org', isPremium: true },
        });
      }
    });

    it('answers the same for a wrong password and an unknown name', async () => {
      await createMember(server.app, 'hanna');
      const wrong = await browser().login('hanna', 'not hers at all');
      const unknown = await browser().login('nobody-at-all', 'not hers at all');
      expect(wrong.statusCode).toBe(401);
      expect(unknown.statusCode).toBe(401);
      expect(unknown.json()).toEqual(wrong.json());
      expect((await browser().login('', '')).json()).toEqual({
        error: 'Please fill in all fields',
        code: 'http.invalid_body',
      });
    });

    it('starts a new session and ends the previous one of the browser', async () => {
      const ida = await createMember(server.app, 'ida');
      const planted = ida.cookies.get('session');
      await ida.login('ida');
      expect(ida.cookies.get('session')).not.toBe(planted);
      const stolen = await server.app.inject({
        url: '/api/user',
        headers: { cookie: `session=${planted}` },
      });
      expect(stolen.statusCode).toBe(401);
    });

    it('never reuses a session token that the browser sends', async () => {
      await createMember(server.app, 'jan');
      const victim = browser();
      victim.cookies.set('session', 'chosen-by-somebody-else');
      await victim.login('jan');
      expect(victim.cookies.get('session')).not.toBe('chosen-by-somebody-else');
    });

    it('hides the session cookie from scripts and from other sites', async () => {
      await createMember(server.app, 'kurt');
      const response = await browser().login('kurt');
      const cookie = response.cookies.find(({ name }) => name === 'session');
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    });

    it('ends on the server after signing out', async () => {
      const lena = await createMember(server.app, 'lena');
      const token = lena.cookies.get('session');
      expect((await lena.post('/api/logout')).statusCode).toBe(200);
      const again = await server.app.inject({ url: '/api/user', headers: { cookie: `session=${token}` } });
      expect(again.statusCode).toBe(401);
    });

    it('extends a used session, up to ninety days', async () => {
      const lars = await createMember(server.app, 'lars');
      const again = await browser().login('lars');
      const cookie = again.cookies.find(({ name }) => name === 'session');
      expect(cookie?.maxAge).toBe(90 * 24 * 60 * 60);
      const days: number[] = [];
      for (let day = 0; day <= 100; day += 10) {
        if ((await lars.get('/api/user')).statusCode === 200) days.push(day);
        clock.advance(10 * 24 * 60 * 60 * 1000);
      }
      expect(days).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80]);
    });

    it('ends a session that was unused for thirty days', async () => {
      const lisa = await createMember(server.app, 'lisa');
      clock.advance(30 * 24 * 60 * 60 * 1000);
      expect((await lisa.get('/api/user')).statusCode).toBe(401);
    });

    it('keeps a user’s latest fifty sessions', async () => {
      const leo = await createMember(server.app, 'leo');
      const first = browser();
      await first.login('leo');
      for (let count = 0; count < 49; count++) {
        clock.advance(1000);
        await browser().login('leo');
      }
      clock.advance(1000);
      await leo.login('leo');
      expect((await first.get('/api/user')).statusCode).toBe(401);
      const { sessions } = (await leo.get('/api/account/sessions')).json<{ sessions: unknown[] }>();
      expect(sessions).toHaveLength(50);
    });

    it('limits guesses at one account from any address for a while', async () => {
      await createMember(server.app, 'mona');
      const guess = (address: string) =>
        server.app.inject({
          method: 'POST',
          url: '/api/login',
          remoteAddress: address,
          payload: { username: 'mona', password: 'a wrong guess' },
        });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) statuses.push((await guess(`198.51.100.${count}`)).statusCode);
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
      const right = await browser().login('mona');
      expect(right.statusCode).toBe(429);
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
      clock.advance(15 * 60 * 1000 + 1);
      expect((await browser().login('mona')).statusCode).toBe(200);
    });

    it('limits parallel guesses like sequential ones', async () => {
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const response = await server.app.inject({
            method: 'POST',
            url: '/api/login',
            remoteAddress: `198.51.101.${index}`,
            payload: { username: 'not-there', password: 'a wrong guess' },
          });
          return response.statusCode;
        }),
      );
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    });

    it('limits guesses at a username or an address equally, registered or not', async () => {
      await createMember(server.app, 'moritz');
      const guessed = async (username: string) => {
        const statuses: number[] = [];
        for (let count = 0; count < 11; count++) {
          const response = await server.app.inject({
            method: 'POST',
            url: '/api/login',
            remoteAddress: '198.51.103.1',
            payload: { username, password: 'a wrong guess' },
          });
          statuses.push(response.statusCode);
        }
        return statuses;
      };
      for (const name of ['moritz', 'moritz@example.org', 'nobody-here', 'nobody-here@example.org']) {
        expect(await guessed(name), name).toEqual([...Array(10).fill(401), 429]);
      }
      clock.advance(15 * 60 * 1000 + 1);
      expect(await guessed('MORITZ')).toEqual(await guessed(' Nobody-Here@example.org'));
    });

    it('limits an address that tries one password on many accounts', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 52; count++) {
        const response = await server.app.inject({
          method: 'POST',
          url: '/api/login',
          remoteAddress: '198.51.102.1',
          payload: { username: `somebody-${count}`, password: 'a wrong guess' },
        });
        statuses.push(response.statusCode);
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
      expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
    });

    it.each([
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])('is rejected for another site with %j', async (headers) => {
      const response = await browser().post(
        '/api/login',
        { username: 'kurt', password: PASSWORD },
        headers as Record<string, string>,
      );
      expect(response.statusCode).toBe(403);
      expect(response.cookies.find(({ name }) => name === 'session')).toBeUndefined();
    });
  });

  describe('settings', () => {
    it('lists the sessions and signs out everywhere else', async () => {
      const nils = await createMember(server.app, 'nils');
      const phone = browser();
      await phone.send({
        method: 'POST',
        url: '/api/login',
        payload: { username: 'nils', password: PASSWORD },
        headers: { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile) Gecko/130 Firefox/130.0' },
      });
      const { sessions } = (await nils.get('/api/account/sessions')).json<{
        sessions: Array<{ id: string; current: boolean; device: string }>;
      }>();
      expect(sessions.map(({ device, current }) => [device, current])).toEqual(
        expect.arrayContaining([
          ['Firefox on Android', false],
          ['Unknown device', true],
        ]),
      );
      expect((await nils.post('/api/account/sessions/end')).statusCode).toBe(200);
      expect((await phone.get('/api/user')).statusCode).toBe(401);
      expect((await nils.get('/api/user')).statusCode).toBe(200);
    });

    it('ends one session of the user, and never one of another user', async () => {
      const olaf = await createMember(server.app, 'olaf');
      const paula = await createMember(server.app, 'paula');
      const [session] = (await paula.get('/api/account/sessions')).json<{ sessions: Array<{ id: string }> }>()
        .sessions;
      const url = `/api/account/sessions/${session?.id}`;
      expect((await olaf.send({ method: 'DELETE', url })).statusCode).toBe(404);
      expect((await paula.get('/api/user')).statusCode).toBe(200);
      expect((await paula.send({ method: 'DELETE', url })).statusCode).toBe(200);
      expect((await paula.get('/api/user')).statusCode).toBe(401);
    });

    it('changes the password given the old one, and signs other devices out', async () => {
      const rosa = await createMember(server.app, 'rosa');
      const other = browser();
      await other.login('rosa');
      const change = (currentPassword: string) =>
        rosa.post('/api/account/password', { currentPassword, newPassword: 'quiet meadow 3' });
      expect((await change('wrong')).statusCode).toBe(403);
      expect((await change(PASSWORD)).statusCode).toBe(200);
      expect((await other.get('/api/user')).statusCode).toBe(401);
      expect((await rosa.get('/api/user')).statusCode).toBe(200);
      expect((await browser().login('rosa')).statusCode).toBe(401);
      expect((await browser().login('rosa', 'quiet meadow 3')).statusCode).toBe(200);
    });

    it('renews the session with the password, so that the old token is invalid', async () => {
      const ruth = await createMember(server.app, 'ruth');
      const old = ruth.cookies.get('session');
      const { sessions } = (await ruth.get('/api/account/sessions')).json<{ sessions: unknown[] }>();
      const change = { currentPassword: PASSWORD, newPassword: 'quiet meadow 3' };
      const response = await ruth.post('/api/account/password', change);
      expect(response.cookies.find(({ name }) => name === 'session')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
      });
      expect(ruth.cookies.get('session')).not.toBe(old);
      const kept = await server.app.inject({ url: '/api/user', headers: { cookie: `session=${old}` } });
      expect(kept.statusCode).toBe(401);
      expect((await ruth.get('/api/account/sessions')).json()).toEqual({ sessions });
    });

    it('invalidates reset links that were mailed before a password change', async () => {
      const rolf = await createMember(server.app, 'rolf');
      await browser().post('/api/password/forgot', { email: 'rolf@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'rolf@example.org', /new password/), 'reset');
      const change = { currentPassword: PASSWORD, newPassword: 'quiet meadow 3' };
      expect((await rolf.post('/api/account/password', change)).statusCode).toBe(200);
      const reset = await browser().post('/api/password/reset', { token, password: 'quiet meadow 4' });
      expect(reset.statusCode).toBe(400);
    });

    it('confirms an address by its mailed link, once, for the signed-in owner only', async () => {
      const sven = await createMember(server.app, 'sven');
      const mail = await mailTo(server.mails, 'sven@example.org', /Welcome/);
      const token = tokenIn(mail, 'verify');
      const otherUser = await createMember(server.app, 'otherUser');
      expect((await otherUser.post('/api/account/verify', { token })).statusCode).toBe(400);
      expect((await browser().post('/api/account/verify', { token })).statusCode).toBe(401);
      expect((await sven.post('/api/account/verify', { token })).statusCode).toBe(200);
      expect((await sven.post('/api/account/verify', { token })).statusCode).toBe(400);
      expect((await sven.get('/api/account')).json()).toMatchObject({ emailVerified: true });
    });

    it("changes the address only when the link in the new address's mail is opened, and notifies the old one", async () => {
      const tina = await createMember(server.app, 'tina');
      const change = (email: string) => tina.post('/api/account/email', { email, currentPassword: PASSWORD });
      expect((await change('frida@example.org')).statusCode).toBe(409);
      expect((await change('tina@new.example')).statusCode).toBe(200);
      expect((await tina.get('/api/account')).json()).toMatchObject({
        email: 'tina@example.org',
        pendingEmail: 'tina@new.example',
      });
      const token = tokenIn(await mailTo(server.mails, 'tina@new.example', /Confirm/), 'verify');
      expect((await tina.post('/api/account/verify', { token })).statusCode).toBe(200);
      expect((await tina.get('/api/account')).json()).toMatchObject({
        email: 'tina@new.example',
        pendingEmail: null,
        emailVerified: true,
      });
      for (const address of ['tina@example.org', 'tina@new.example']) {
        const mail = await mailTo(server.mails, address, /address was changed/);
        expect(mail.text).toMatch(/on \d+ \w+ 2026 at \d\d:\d\d \(UTC\), the email address of your account/);
      }
    });

    it('gives an address to only one of many users who confirm it in parallel', async () => {
      const wanted = 'everybodys@new.example';
      const people = await Promise.all(
        Array.from({ length: 3 }, async (_, index) => {
          const person = await createMember(server.app, `wanter${index}`);
          const asked = { email: wanted, currentPassword: PASSWORD };
          expect((await person.post('/api/account/email', asked)).statusCode).toBe(200);
          return person;
        }),
      );
      await server.services.mails.deliver();
      const tokens = server.mails
        .filter(({ to }) => to === wanted)
        .map((mail) => ({ name: mail.text, token: tokenIn(mail, 'verify') }));
      const answers = await Promise.all(
        people.map((person, index) => {
          const own = tokens.find(({ name }) => name.includes(`wanter${index}`));
          return person.post('/api/account/verify', { token: own?.token });
        }),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    });

    it('exports all data of a user', async () => {
      const ulla = await createMember(server.app, 'ulla');
      await ulla.post('/api/texts', { name: 'Note', text: 'Milk and bread' });
      const response = await ulla.get('/api/account/data');
      expect(response.headers['content-disposition']).toContain('glyphlift-data.json');
      expect(response.json()).toMatchObject({
        username: 'ulla',
        email: 'ulla@example.org',
        savedTexts: [{ text: 'Milk and bread' }],
        subscription: { status: 'active' },
      });
      expect(response.body).not.toContain('argon2');
    });

    it('deletes the account with all its data, given username and password', async () => {
      const vera = await createMember(server.app, 'vera');
      await vera.post('/api/texts', { name: 'Note', text: 'Milk and bread' });
      const remove = (username: string, currentPassword: string) =>
        vera.post('/api/account/delete', { username, currentPassword });
      expect((await remove('vera', 'wrong')).statusCode).toBe(403);
      expect((await remove('somebody', PASSWORD)).statusCode).toBe(400);
      expect((await remove('vera', PASSWORD)).statusCode).toBe(200);
      expect((await vera.get('/api/user')).statusCode).toBe(401);
      expect((await browser().login('vera')).statusCode).toBe(401);
      expect((await browser().register('vera', 'vera@example.org')).statusCode).toBe(402);
    });
  });

  describe('a forgotten password', () => {
    it('answers the same for a known and an unknown address', async () => {
      const known = await browser().post('/api/password/forgot', { email: 'frida@example.org' });
      const unknown = await browser().post('/api/password/forgot', { email: 'nobody@example.org' });
      expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body]);
      expect(known.statusCode).toBe(200);
    });

    it('is reset by a mailed link that works once, and every session ends', async () => {
      const willi = await createMember(server.app, 'willi');
      await browser().post('/api/password/forgot', { email: 'Willi@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'willi@example.org', /new password/), 'reset');
      const reset = () => browser().post('/api/password/reset', { token, password: 'quiet meadow 4' });
      expect((await reset()).statusCode).toBe(200);
      expect((await reset()).json()).toEqual({
        error: 'This link has expired or was already used. Please ask for a new one.',
        code: 'accounts.link_spent',
      });
      expect((await willi.get('/api/user')).statusCode).toBe(401);
      expect((await browser().login('willi', 'quiet meadow 4')).statusCode).toBe(200);
    });

    it('after a reset lets the owner sign in, even if another visitor has used up the login attempts', async () => {
      await createMember(server.app, 'wilma');
      for (const name of ['wilma', 'wilma@example.org']) {
        for (let count = 0; count < 10; count++) await browser().login(name, 'a wrong guess');
        expect((await browser().login(name)).statusCode).toBe(429);
      }
      await browser().post('/api/password/forgot', { email: 'wilma@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'wilma@example.org', /new password/), 'reset');
      await browser().post('/api/password/reset', { token, password: 'quiet meadow 4' });
      for (const name of ['wilma', 'wilma@example.org']) {
        expect((await browser().login(name, 'quiet meadow 4')).statusCode).toBe(200);
      }
    });

    it('gives an account that someone else registered with the address to the owner of the mailbox', async () => {
      const otherUser = await createMember(server.app, 'squatter');
      const { id } = await server.database
        .selectFrom('users')
        .select('id')
        .where('username', '=', 'squatter')
        .executeTakeFirstOrThrow();
      const identity = { provider: 'google', subject: 'otherUser-1', email: 'otherUser@mail.example' };
      await server.services.accounts.link(id, identity);
      await browser().post('/api/password/forgot', { email: 'squatter@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'squatter@example.org', /new password/), 'reset');
      await browser().post('/api/password/reset', { token, password: 'owner of the mail 1' });
      expect((await otherUser.get('/api/user')).statusCode).toBe(401);
      expect((await browser().login('squatter')).statusCode).toBe(401);
      const owner = browser();
      await owner.login('squatter', 'owner of the mail 1');
      expect((await owner.get('/api/account')).json()).toMatchObject({ emailVerified: true, identities: [] });
    });

    it.each([
      ['keeps API keys by default', {}, 200, ['still']],
      ['revokes API keys on request, and mentions it in the mail', { revokeKeys: true }, 401, []],
    ])('a reset by mail %s', async (_what, asked, status, left) => {
      const name = `keyed-${status}`;
      const person = await createMember(server.app, name);
      const made = { name: 'still', scopes: ['usage'], currentPassword: PASSWORD };
      const { secret } = (await person.post('/api/account/keys', made)).json<{ secret: string }>();
      await browser().post('/api/password/forgot', { email: `${name}@example.org` });
      const token = tokenIn(await mailTo(server.mails, `${name}@example.org`, /new password/), 'reset');
      const reset = { token, password: 'quiet meadow 4', ...asked };
      expect((await browser().post('/api/password/reset', reset)).statusCode).toBe(200);
      const call = await browser().get('/api/usage', { authorization: `Bearer ${secret}` });
      expect(call.statusCode).toBe(status);
      const owner = browser();
      await owner.login(name, 'quiet meadow 4');
      const { keys } = (await owner.get('/api/account/keys')).json<{ keys: { name: string }[] }>();
      expect(keys.map((key) => key.name)).toEqual(left);
      const notice = await mailTo(server.mails, `${name}@example.org`, /was changed/);
      expect(/keys were revoked/.test(notice.text)).toBe(status === 401);
    });

    it('cannot be reset with a link older than an hour', async () => {
      await createMember(server.app, 'xaver');
      await browser().post('/api/password/forgot', { email: 'xaver@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'xaver@example.org', /new password/), 'reset');
      clock.advance(60 * 60 * 1000);
      const reset = await browser().post('/api/password/reset', { token, password: 'quiet meadow 4' });
      expect(reset.statusCode).toBe(400);
    });
  });

  it('counts a signed-in premium user’s extractions against the month, and a free user’s against the day', async () => {
    const yara = await createMember(server.app, 'yara');
    expect(await yara.usage()).toMatchObject({ imageCount: 0, dailyLimit: 1500, period: 'month' });
    expect((await yara.upload()).statusCode).toBe(200);
    expect(await yara.usage()).toMatchObject({ imageCount: 1, dailyLimit: 1500, period: 'month' });
    clock.advance(40 * 24 * 60 * 60 * 1000);
    await yara.login('yara');
    expect(await yara.user()).toMatchObject({ isPremium: false });
    expect(await yara.usage()).toMatchObject({ imageCount: 0, dailyLimit: 3, period: 'day' });
    for (let count = 0; count < 3; count++) expect((await yara.upload()).statusCode).toBe(200);
    expect((await yara.upload()).json()).toMatchObject({ limitExceeded: true, requiresPayment: true });
    expect((await yara.pay('yara@example.org')).json()).toEqual({ status: 'completed', kind: 'upgrade' });
    expect(await yara.usage()).toMatchObject({ imageCount: 0, dailyLimit: 1500, period: 'month' });
  });
});

itOnce('writes neither passwords nor tokens to the log', async () => {
  const server = await startTestServer();
  const zoe = await createMember(server.app, 'zoe');
  const log = server.log.join('');
  for (const secret of [PASSWORD, 'zoe@example.org', zoe.cookies.get('session') ?? 'none']) {
    expect(log).not.toContain(secret);
  }
  await server.close();
});

itOnce('registering without a payment provider answers 503 and stores nothing', async () => {
  const server = await startTestServer({ env: { HOST: '0.0.0.0' } });
  const browser = createBrowser(server.app);
  expect((await browser.register('anna')).statusCode).toBe(503);
  expect((await browser.get('/api/payment')).json()).toEqual({
    provider: null,
    payingFor: null,
    finished: null,
    claim: null,
  });
  await server.close();
});

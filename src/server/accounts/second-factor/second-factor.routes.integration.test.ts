import { TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  type Browser,
  createBrowser,
  createMember,
  mailTo,
  PASSWORD,
  tokenIn,
} from '../../../../tests/support/people.ts';
import { createTestClock, sharedServer } from '../../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../../tests/support/server-databases.ts';
import { createKeyring } from '../../platform/keyring.ts';
import { createLogger } from '../../platform/logger.ts';
import { createMailTemplateContext } from '../accounts.mails.ts';
import { createThrottle } from '../throttle.ts';
import { SecondFactorService } from './second-factor.service.ts';

const STEP_MS = 30_000;
const QUARTER_HOUR_MS = 15 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

describe.each(DEFAULT_DATABASES)('a second factor (%s)', (database) => {
  const clock = createTestClock();
  const server = sharedServer({ database, clock });
  const browser = () => createBrowser(server.app);

  const start = (person: Browser, currentPassword?: string) =>
    person.post('/api/account/second-factor/start', { currentPassword });
  const status = async (person: Browser) =>
    (await person.get('/api/account/second-factor')).json().secondFactor;
  const prove = (person: Browser, proof: object) => person.post('/api/login/second-factor', proof);

  /** The code of an authenticator app, computed by a library from the server's URI. */
  function appFor(uri: string) {
    const totp = URI.parse(uri);
    if (!(totp instanceof TOTP)) throw new Error('no codes by time');
    return { code: (laterMs = 0) => totp.generate({ timestamp: clock.now().getTime() + laterMs }), totp };
  }
  /** A member with a second factor, after the time step of its first code. */
  async function createProtected(username: string) {
    const person = await createMember(server.app, username);
    const { uri, secret } = (await start(person, PASSWORD)).json<{ uri: string; secret: string }>();
    const app = appFor(uri);
    const on = await person.post('/api/account/second-factor', { code: app.code() });
    expect(on.statusCode).toBe(200);
    clock.advance(STEP_MS);
    return { person, app, secret, codes: on.json<{ recoveryCodes: string[] }>().recoveryCodes };
  }
  /** A wrong code. */
  const wrong = (app: ReturnType<typeof appFor>) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => app.code(steps * STEP_MS));
    return (
      ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
    );
  };

  describe('turning it on', () => {
    it('requires the password and a correct code, and returns ten recovery codes', async () => {
      const anna = await createMember(server.app, 'anna');
      expect(await status(anna)).toBeNull();
      expect((await start(anna, 'wrong')).statusCode).toBe(403);
      expect((await start(anna)).statusCode).toBe(403);
      const { uri, secret } = (await start(anna, PASSWORD)).json<{ uri: string; secret: string }>();
      const app = appFor(uri);
      expect(app.totp).toMatchObject({ issuer: 'Glyphlift', label: 'anna', digits: 6, period: 30 });
      expect(app.totp.secret.base32).toBe(secret);
      expect(await status(anna)).toBeNull();
      expect((await browser().login('anna')).statusCode).toBe(200);

      const refused = await anna.post('/api/account/second-factor', { code: wrong(app) });
      expect(refused.statusCode).toBe(403);
      expect(refused.json().error).toContain('not right');
      expect(await status(anna)).toBeNull();
      const on = await anna.post('/api/account/second-factor', { code: app.code() });
      const { recoveryCodes } = on.json<{ recoveryCodes: string[] }>();
      expect(new Set(recoveryCodes).size).toBe(10);
      for (const code of recoveryCodes)
        expect(code).toMatch(/^([\da-hjkmnp-tv-z]{4}-){3}[\da-hjkmnp-tv-z]{4}$/);
      expect(await status(anna)).toEqual({ since: clock.now().toISOString(), recoveryCodesLeft: 10 });
      const mail = await mailTo(server.mails, 'anna@example.org', /Two-step sign-in is on/);
      expect(mail.text).toContain('4 May 2026 at 10:00 (UTC)');
      expect((await start(anna, PASSWORD)).statusCode).toBe(409);
    });

    it('signs every other device out, and the password alone no longer signs in', async () => {
      const berta = await createMember(server.app, 'berta');
      const otherDevice = browser();
      await otherDevice.login('berta');
      const app = appFor((await start(berta, PASSWORD)).json().uri);
      await berta.post('/api/account/second-factor', { code: app.code() });
      expect(await otherDevice.user()).toBeUndefined();
      expect(await berta.user()).toMatchObject({ username: 'berta' });
      const half = browser();
      const answer = await half.login('berta');
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        {
          error: 'Please enter the code that your authenticator app shows.',
          code: 'accounts.second_factor_required',
          requiresSecondFactor: true,
        },
      ]);
      expect(await half.user()).toBeUndefined();
    });

    it('starts over after an hour, and deletes the unconfirmed secret', async () => {
      const carla = await createMember(server.app, 'carla');
      const app = appFor((await start(carla, PASSWORD)).json().uri);
      clock.advance(60 * 60 * 1000 + 1);
      expect((await carla.post('/api/account/second-factor', { code: app.code() })).statusCode).toBe(409);
      await server.sweep();
      const rows = server.database.selectFrom('second_factors').where('confirmed_at', 'is', null);
      expect(await rows.selectAll().execute()).toEqual([]);
    });

    it('requires a signed-in user', async () => {
      for (const path of ['', '/start', '/off', '/recovery-codes']) {
        expect((await browser().post(`/api/account/second-factor${path}`, {})).statusCode).toBe(401);
      }
      expect((await browser().get('/api/account/second-factor')).statusCode).toBe(401);
    });
  });

  describe('signing in', () => {
    it('requires password and code in the same browser', async () => {
      const { app } = await createProtected('dora');
      const dora = browser();
      await dora.login('dora');
      const code = app.code();
      expect((await prove(browser(), { code })).statusCode).toBe(401);
      const thief = browser();
      await thief.get('/api/usage');
      thief.cookies.set('second-factor', dora.cookies.get('second-factor') ?? '');
      expect((await prove(thief, { code })).json()).toEqual({
        error: 'This took too long. Please sign in with your password again.',
        code: 'second_factor.sign_in_over',
      });
      const answer = await prove(dora, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
      expect([answer.statusCode, answer.json().user.username]).toEqual([200, 'dora']);
      expect(await dora.user()).toMatchObject({ username: 'dora' });
    });

    it('is not revealed to a wrong password', async () => {
      await createProtected('emma');
      const guess = await browser().login('emma', 'not hers at all');
      const unknown = await browser().login('unknown-at-all', 'not hers at all');
      expect([guess.statusCode, guess.json()]).toEqual([unknown.statusCode, unknown.json()]);
      expect(guess.cookies.map(({ name }) => name)).not.toContain('second-factor');
    });

    it('accepts each code once', async () => {
      const { app } = await createProtected('frida');
      const code = app.code();
      const [first, second] = [browser(), browser()];
      await first.login('frida');
      await second.login('frida');
      const answers = await Promise.all([prove(first, { code }), prove(second, { code })]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
      clock.advance(STEP_MS);
      const third = browser();
      await third.login('frida');
      expect((await prove(third, { code })).statusCode).toBe(401);
      expect((await prove(third, { code: app.code() })).statusCode).toBe(200);
    });

    it('tolerates a clock skew of 30 seconds', async () => {
      const { app } = await createProtected('gina');
      clock.advance(10 * STEP_MS);
      const gina = browser();
      await gina.login('gina');
      for (const steps of [-2, 2]) {
        expect((await prove(gina, { code: app.code(steps * STEP_MS) })).statusCode).toBe(401);
      }
      expect((await prove(gina, { code: app.code(-STEP_MS) })).statusCode).toBe(200);
      const again = browser();
      await again.login('gina');
      expect((await prove(again, { code: app.code(STEP_MS) })).statusCode).toBe(200);
    });

    it('waits ten minutes for the code, works once, and ends when the password changes', async () => {
      const { app, person } = await createProtected('hanna');
      const slow = browser();
      await slow.login('hanna');
      clock.advance(10 * 60 * 1000);
      expect((await prove(slow, { code: app.code() })).json().requiresSecondFactor).toBeUndefined();

      const quick = browser();
      await quick.login('hanna');
      const cookie = quick.cookies.get('second-factor') ?? '';
      expect((await prove(quick, { code: app.code() })).statusCode).toBe(200);
      quick.cookies.set('second-factor', cookie);
      clock.advance(STEP_MS);
      expect((await prove(quick, { code: app.code() })).statusCode).toBe(401);

      const old = browser();
      await old.login('hanna');
      await person.post('/api/account/password', {
        currentPassword: PASSWORD,
        newPassword: 'quiet meadow 3',
      });
      clock.advance(STEP_MS);
      expect((await prove(old, { code: app.code() })).statusCode).toBe(401);
      expect(await old.user()).toBeUndefined();
    });

    it('accepts each recovery code once, in any spelling, and returns how many are left', async () => {
      const { codes, person } = await createProtected('ida');
      const [code = ''] = codes;
      const ida = browser();
      await ida.login('ida');
      const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
      expect((await prove(ida, { recoveryCode: typed })).statusCode).toBe(200);
      expect(await status(person)).toMatchObject({ recoveryCodesLeft: 9 });
      const mail = await mailTo(server.mails, 'ida@example.org', /recovery code was used/);
      expect(mail.text).toContain('9 are left');
      const again = browser();
      await again.login('ida');
      const refused = await prove(again, { recoveryCode: code });
      expect([refused.statusCode, refused.json().requiresSecondFactor]).toEqual([401, true]);
    });

    it("rejects another user's recovery code", async () => {
      const { codes } = await createProtected('jana');
      await createProtected('karla');
      const karla = browser();
      await karla.login('karla');
      expect((await prove(karla, { recoveryCode: codes[0] })).statusCode).toBe(401);
    });

    it.each([
      [{}, 'Please enter the six digits that your authenticator app shows'],
      [{ code: '12345' }, 'Please enter the six digits that your authenticator app shows'],
      [{ code: '１２３４５６' }, 'Please enter the six digits that your authenticator app shows'],
      [{ recoveryCode: 'short' }, 'A recovery code has 16 letters and digits'],
      [
        { code: '123456', recoveryCode: 'abcd-efgh-jkmn-pqrs' },
        'Please enter the six digits that your authenticator app shows',
      ],
    ])('explains what is wrong with %j', async (body, error) => {
      const response = await prove(browser(), body);
      expect([response.statusCode, response.json()]).toEqual([400, { error, code: 'http.invalid_body' }]);
    });

    it('limits guessing to five codes in a quarter of an hour and fifty a day, and notifies the owner', async () => {
      const { app, codes } = await createProtected('lena');
      const lena = browser();
      await lena.login('lena');
      const guesses = async (count: number) => {
        const statuses: number[] = [];
        for (let number = 0; number < count; number++) {
          statuses.push((await prove(lena, { code: wrong(app) })).statusCode);
        }
        return statuses;
      };
      expect(await guesses(7)).toEqual([...Array(5).fill(401), 429, 429]);
      expect((await prove(lena, { code: app.code() })).statusCode).toBe(429);
      await mailTo(server.mails, 'lena@example.org', /Wrong codes/);
      expect((await prove(lena, { recoveryCode: codes[0] })).statusCode).toBe(200);
      await lena.login('lena');
      let tried = 8;
      for (; tried < 50; tried += 5) {
        clock.advance(QUARTER_HOUR_MS + 1);
        await lena.login('lena');
        await guesses(5);
      }
      clock.advance(QUARTER_HOUR_MS + 1);
      await lena.login('lena');
      expect((await prove(lena, { code: app.code() })).statusCode).toBe(429);
      clock.advance(DAY_MS);
      await lena.login('lena');
      expect((await prove(lena, { code: app.code() })).statusCode).toBe(200);
      expect(
        server.mails.filter(({ to, subject }) => to === 'lena@example.org' && /Wrong codes/.test(subject)),
      ).toHaveLength(1);
    });

    it('requires a code after a password reset, too', async () => {
      const { app } = await createProtected('mona');
      await browser().post('/api/password/forgot', { email: 'mona@example.org' });
      const token = tokenIn(await mailTo(server.mails, 'mona@example.org', /Set a new password/), 'reset');
      await browser().post('/api/password/reset', { token, password: 'quiet meadow 3' });
      const mona = browser();
      expect((await mona.login('mona', 'quiet meadow 3')).json()).toMatchObject({
        requiresSecondFactor: true,
      });
      expect(await mona.user()).toBeUndefined();
      expect((await prove(mona, { code: app.code() })).statusCode).toBe(200);
    });
  });

  describe('storage', () => {
    it('has the secret encrypted and recovery codes hashed', async () => {
      const { secret, codes } = await createProtected('nora');
      const kept = JSON.stringify([
        await server.database.selectFrom('second_factors').selectAll().execute(),
        await server.database.selectFrom('recovery_codes').selectAll().execute(),
        server.log,
        server.mails,
      ]);
      const [code = ''] = codes;
      for (const text of [secret, code, code.replaceAll('-', '')]) expect(kept).not.toContain(text);
    });

    it('is part of the data export, and is deleted with the account', async () => {
      const { person } = await createProtected('olga');
      expect((await person.get('/api/account/data')).json()).toMatchObject({
        secondFactor: { recoveryCodesLeft: 10 },
      });
      const { id } = await server.database
        .selectFrom('users')
        .select('id')
        .where('username', '=', 'olga')
        .executeTakeFirstOrThrow();
      await person.post('/api/account/delete', { username: 'olga', currentPassword: PASSWORD });
      for (const table of ['second_factors', 'recovery_codes'] as const) {
        const rows = server.database.selectFrom(table).selectAll().where('user_id', '=', id);
        expect(await rows.execute()).toEqual([]);
      }
    });
  });

  it('is re-encrypted after a key rotation, so that the old key can be retired', async () => {
    const { app } = await createProtected('ursel');
    const { id: userId } = await server.database
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'ursel')
      .executeTakeFirstOrThrow();
    const [old, unconfirmed] = ['c'.repeat(32), 'n'.repeat(32)];
    const { mails } = server.services;
    const withKeys = (cookieKeys: string[]) =>
      new SecondFactorService({
        database: server.database,
        keyring: createKeyring({ cookieKeys, cookieKey: undefined }),
        throttle: createThrottle(server.database, clock, 'throttles'),
        mails,
        clock,
        mailContext: createMailTemplateContext({ publicUrl: '', supportEmail: '', clock }),
        logger: createLogger('silent'),
        confirmPassword: async () => {},
      });
    await expect(withKeys([unconfirmed]).prove(userId, { code: app.code() })).rejects.toThrow(
      'Codes cannot be checked',
    );
    expect((await withKeys([unconfirmed]).reseal()).resealed).toBe(0);

    const { resealed, unreadable } = await withKeys([unconfirmed, old]).reseal();
    expect([resealed > 0, unreadable]).toEqual([true, 0]);
    expect(await withKeys([unconfirmed, old]).reseal()).toEqual({ resealed: 0, unreadable: 0 });
    await withKeys([unconfirmed]).prove(userId, { code: app.code() });
    await withKeys([old, unconfirmed]).reseal();
  });

  describe('turning it off', () => {
    it('requires password and code; afterwards the password is enough', async () => {
      const { person, app } = await createProtected('paula');
      const off = (body: object) => person.post('/api/account/second-factor/off', body);
      expect((await off({ currentPassword: 'wrong', code: app.code() })).statusCode).toBe(403);
      expect((await off({ code: app.code() })).statusCode).toBe(403);
      expect((await off({ currentPassword: PASSWORD, code: wrong(app) })).statusCode).toBe(403);
      expect((await off({ currentPassword: PASSWORD })).statusCode).toBe(400);
      expect(await status(person)).not.toBeNull();
      expect((await off({ currentPassword: PASSWORD, code: app.code() })).statusCode).toBe(200);
      expect(await status(person)).toBeNull();
      expect(await person.user()).toMatchObject({ username: 'paula' });
      expect((await browser().login('paula')).statusCode).toBe(200);
      await mailTo(server.mails, 'paula@example.org', /Two-step sign-in is off/);
      expect((await off({ currentPassword: PASSWORD, code: app.code() })).statusCode).toBe(409);
    });

    it('accepts a recovery code instead of the app', async () => {
      const { person, codes } = await createProtected('rosa');
      const body = { currentPassword: PASSWORD, recoveryCode: codes[3] };
      expect((await person.post('/api/account/second-factor/off', body)).statusCode).toBe(200);
      expect(await status(person)).toBeNull();
    });

    it('cancels pending sign-ins', async () => {
      const { person, app } = await createProtected('sara');
      const pending = browser();
      await pending.login('sara');
      await person.post('/api/account/second-factor/off', { currentPassword: PASSWORD, code: app.code() });
      clock.advance(STEP_MS);
      expect((await prove(pending, { code: app.code() })).statusCode).toBe(401);
    });
  });

  it('replaces recovery codes, given password and code', async () => {
    const { person, app, codes } = await createProtected('tina');
    const renew = (body: object) => person.post('/api/account/second-factor/recovery-codes', body);
    expect((await renew({ currentPassword: 'wrong', code: app.code() })).statusCode).toBe(403);
    const renewed = await renew({ currentPassword: PASSWORD, code: app.code() });
    const unconfirmed = renewed.json<{ recoveryCodes: string[] }>().recoveryCodes;
    expect(unconfirmed.filter((code) => codes.includes(code))).toEqual([]);
    const tina = browser();
    await tina.login('tina');
    expect((await prove(tina, { recoveryCode: codes[0] })).statusCode).toBe(401);
    expect((await prove(tina, { recoveryCode: unconfirmed[0] })).statusCode).toBe(200);
    await mailTo(server.mails, 'tina@example.org', /New recovery codes/);
  });
});

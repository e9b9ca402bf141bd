import { describe, expect, it } from 'vitest';
import {
  type Browser,
  createBrowser,
  createMember,
  mailTo,
  PASSWORD,
  tokenIn,
} from '../../../tests/support/people.ts';
import { createTestClock, sharedServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../tests/support/server-databases.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

describe.each(DEFAULT_DATABASES)('the mail about a new browser (%s)', (database) => {
  const clock = createTestClock();
  const server = sharedServer({ database, clock });
  const browser = () => createBrowser(server.app);
  const about = async (username: string) => {
    await server.services.mails.deliver();
    return server.mails.filter(
      ({ to, subject }) => to === `${username}@example.org` && /new sign-in/.test(subject),
    ).length;
  };
  const loginWith = (person: Browser, username: string, password = PASSWORD) =>
    person.post(
      '/api/login',
      { username, password },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
    );

  it('is sent when an unknown browser signs in, but not for the first sign-in of the account', async () => {
    const anna = await createMember(server.app, 'anna');
    await anna.login('anna');
    expect(await about('anna')).toBe(0);
    const other = browser();
    await loginWith(other, 'anna');
    const mail = await mailTo(server.mails, 'anna@example.org', /new sign-in/);
    expect(mail.text).toContain('Firefox on Linux');
    expect(mail.text).toContain('4 May 2026 at 10:00 (UTC)');
    expect(mail.text).not.toContain('127.0.0.1');
    await loginWith(other, 'anna');
    await other.post('/api/logout');
    await loginWith(other, 'anna');
    await anna.login('anna');
    expect(await about('anna')).toBe(1);
  });

  it('is sent for a browser known to another account only, and not for two users who share one', async () => {
    const berta = await createMember(server.app, 'berta');
    await createMember(server.app, 'carl');
    await loginWith(berta, 'carl');
    await mailTo(server.mails, 'carl@example.org', /new sign-in/);
    await loginWith(berta, 'berta');
    await loginWith(berta, 'carl');
    expect([await about('berta'), await about('carl')]).toEqual([0, 1]);
  });

  it('is sent again after a year, and after a password reset', async () => {
    const dora = await createMember(server.app, 'dora');
    clock.advance(YEAR_MS + 1);
    await dora.login('dora');
    expect(await about('dora')).toBe(1);
    await browser().post('/api/password/forgot', { email: 'dora@example.org' });
    await server.sweep();
    const token = tokenIn(await mailTo(server.mails, 'dora@example.org', /Set a new password/), 'reset');
    await dora.post('/api/password/reset', { token, password: 'quiet meadow 3' });
    await dora.login('dora', 'quiet meadow 3');
    expect(await about('dora')).toBe(2);
  });

  it('is not sent for a wrong password', async () => {
    await createMember(server.app, 'emma');
    await loginWith(browser(), 'emma', 'not hers at all');
    expect(await about('emma')).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { createBrowser, mailTo } from '../../../tests/support/people.ts';
import { sharedServer } from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES } from '../../../tests/support/server-databases.ts';

describe.each(DEFAULT_DATABASES)('the waitlist (%s)', (database) => {
  const server = sharedServer({ database });
  const join = (email: unknown) => createBrowser(server.app).post('/api/premium-interest', { email });
  const list = async () => {
    await server.services.mailRequests.processDue();
    return server.services.waitlist.list();
  };

  it('stores an address once, and gives the same answer for a known and a new one', async () => {
    const answers = await Promise.all(
      [' nora@mail.example ', 'NORA@mail.example', 'nora@mail.example'].map(join),
    );
    for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    expect(await list()).toHaveLength(1);
    await mailTo(server.mails, (await list())[0]?.email ?? '', /premium list/);
    expect(server.mails).toHaveLength(1);
  });

  it.each([
    ['', 'Please enter your email address.'],
    ['   ', 'Please enter your email address.'],
    [undefined, 'Please enter your email address.'],
    ['no address', 'Please enter a valid email address'],
  ])('rejects %j', async (email, error) => {
    const response = await join(email);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error, code: 'http.invalid_body' });
  });

  it('unsubscribes by the mailed link, opened as a page or by a mail program, once or twice', async () => {
    await join('emil@mail.example');
    const mail = await mailTo(server.mails, 'emil@mail.example', /premium list/);
    const [, token = ''] = /\/unsubscribe\?token=(\S+)/.exec(mail.text) ?? [];
    const leave = () =>
      createBrowser(server.app).post('/api/premium-interest/unsubscribe', {
        token: decodeURIComponent(token),
      });
    expect((await leave()).statusCode).toBe(200);
    expect((await leave()).statusCode).toBe(200);
    expect((await list()).map(({ email }) => email)).not.toContain('emil@mail.example');

    await join('emil@mail.example');
    const { pathname, search } = new URL(mail.unsubscribeUrl ?? '');
    const byProgram = await server.app.inject({
      method: 'POST',
      url: pathname + search,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(byProgram.statusCode).toBe(200);
    expect((await list()).map(({ email }) => email)).not.toContain('emil@mail.example');
  });

  it('does not let a caller unsubscribe another address', async () => {
    const forged = `${Buffer.from('nora@mail.example').toString('base64url')}.invented`;
    const browser = createBrowser(server.app);
    expect((await browser.post('/api/premium-interest/unsubscribe', { token: forged })).statusCode).toBe(400);
    expect(await list()).toHaveLength(1);
  });
});

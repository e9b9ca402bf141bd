import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEADERS, shownPerson } from '#contract/headers';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { createVisitor, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';

describe('a call with the user that its page shows', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());
  const shows = (username: string | null) => ({ [HEADERS.shownPerson]: shownPerson(username) });

  it('succeeds while this user is signed in, with any letters in the name', async () => {
    const member = createBrowser(server.app);
    await member.register('Zoë.東', 'zoe@example.org');
    await member.pay('zoe@example.org');
    expect((await member.login('Zoë.東')).statusCode).toBe(200);
    const answer = await member.upload(undefined, shows('Zoë.東'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers[HEADERS.personChanged]).toBeUndefined();
  });

  it('is rejected after the session has ended, and charges nothing to the visitor', async () => {
    const member = await createMember(server.app, 'nora');
    await server.database.deleteFrom('sessions').execute();
    for (let press = 0; press < 4; press += 1) {
      const answer = await member.upload(undefined, shows('nora'));
      expect(answer.statusCode).toBe(401);
      expect(answer.headers[HEADERS.personChanged]).toBe('true');
      expect(answer.json()).toEqual({
        code: 'accounts.session_ended',
        error: 'You were signed out. Sign in to continue.',
        requiresAuth: true,
      });
    }
    expect(await member.usage()).toMatchObject({ imageCount: 0 });
    for (const url of ['/api/account', '/api/texts']) {
      expect((await member.get(url, shows('nora'))).json()).toMatchObject({ requiresAuth: true });
    }
  });

  it('is rejected if another user has signed in, and charges nothing to them', async () => {
    await createMember(server.app, 'nora');
    const emil = await createMember(server.app, 'emil');
    const answer = await emil.upload(undefined, shows('nora'));
    expect(answer.statusCode).toBe(409);
    expect(answer.headers[HEADERS.personChanged]).toBe('true');
    expect(answer.json()).toEqual({
      code: 'accounts.signed_in_as_another',
      error: 'This browser is signed in as emil now. Nothing was done; try again to go on as emil.',
    });
    expect(await emil.usage()).toMatchObject({ imageCount: 0 });
  });

  it('succeeds for a user who signed in after the page was loaded, and marks the page as out of date', async () => {
    const member = await createMember(server.app, 'nora');
    const answer = await member.upload(undefined, shows(null));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers[HEADERS.personChanged]).toBe('true');
    expect(await member.usage()).toMatchObject({ imageCount: 1, dailyLimit: 1500 });
  });

  it('has no effect for anonymous callers', async () => {
    const visitor = createVisitor(server.app);
    for (const headers of [{}, shows(null)]) {
      const answer = await visitor.upload(undefined, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers[HEADERS.personChanged]).toBeUndefined();
    }
  });
});

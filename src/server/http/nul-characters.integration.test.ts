import { beforeAll, describe, expect, it } from 'vitest';
import { type Browser, createMember } from '../../../tests/support/people.ts';
import { sharedServer } from '../../../tests/support/server-app.ts';
import { BOTH_DATABASES } from '../../../tests/support/server-databases.ts';

describe.each(BOTH_DATABASES)('a text with the character U+0000 (%s)', (database) => {
  const server = sharedServer({ database });
  let anna: Browser;
  beforeAll(async () => {
    anna = await createMember(server.app, 'anna');
  });

  it.each([
    ['POST', '/api/login', { username: 'an\0na', password: 'harbour lights 7' }],
    ['POST', '/api/texts', { name: 'Note', text: 'Milk\0 and bread' }],
    ['GET', '/api/texts?search=a%00b', undefined],
    ['GET', '/api/texts?before=a%00b', undefined],
    ['GET', '/api/texts/a%00b', undefined],
    ['DELETE', '/api/account/sessions/a%00b', undefined],
    ['DELETE', '/api/account/identities/a%00b', undefined],
  ] as const)('is rejected with an explanation: %s %s', async (method, url, payload) => {
    const response = await anna.send({ method, url, ...(payload && { payload }) });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      error: 'The request contains a character that cannot be stored (U+0000). Please remove it.',
      code: 'http.unkeepable_text',
    });
  });

  it('is found in the deepest possible nesting of a body', async () => {
    const send = (text: string) =>
      anna.send({
        method: 'POST',
        url: '/api/login',
        headers: { 'content-type': 'application/json' },
        payload: `${'['.repeat(30_000)}"${text}"${']'.repeat(30_000)}`,
      });
    expect((await send('\\u0000')).json()).toMatchObject({ error: expect.stringContaining('U+0000') });
    expect((await send('a')).statusCode).toBe(400);
  });
});

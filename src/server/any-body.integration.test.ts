import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logout } from '#contract/calls/accounts';
import { createJob } from '#contract/calls/jobs';
import { extractText, previewPicture } from '#contract/calls/recognition';
import { apiErrorSchema } from '#contract/errors';
import { API_PREFIX } from '#contract/paths';
import { createMember } from '../../tests/support/people.ts';
import { holds } from '../../tests/support/properties.ts';
import { startTestServer, type TestServer } from '../../tests/support/server-app.ts';

/** Calls without a JSON body. */
const UPLOADS: readonly string[] = [createJob.path, extractText.path, previewPicture.path];
/** Calls that would end the session of the test. */
const SESSION_ENDING_CALLS: readonly string[] = [logout.path];

let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '1000000' } });
  const { cookies } = await createMember(server.app, 'somebody');
  session = [...cookies].map((pair) => pair.join('=')).join('; ');
});
afterAll(() => server.close());

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.emailAddress(),
  fc.constantFrom('', ' ', '\0', '4.99', 'USD', 'harbour lights 7', 'x'.repeat(5_000), '__proto__', '\ud800'),
);
const FIELDS = [
  'username',
  'email',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'amount',
  'currency',
];
const body = fc.oneof(
  fc.dictionary(
    fc.constantFrom(...FIELDS, 'name', 'text', 'language', '__proto__'),
    fc.oneof(text, fc.jsonValue()),
  ),
  fc.record(
    {
      username: text,
      email: fc.emailAddress(),
      password: text,
      token: text,
      name: text,
      text,
      newPassword: text,
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const address = fc.oneof(
  fc.constant('abc'),
  fc.uuid(),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
);

describe('any JSON, sent to any call with side effects,', () => {
  it.each(['a visitor', 'a member'])('by %s is accepted, or rejected with an error body', async (who) => {
    const routes = server.app.registeredRoutes.filter(
      ({ method, url }) =>
        url.startsWith(API_PREFIX) &&
        ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method) &&
        ![...UPLOADS, ...SESSION_ENDING_CALLS].includes(url),
    );
    expect(routes.length).toBeGreaterThan(15);
    await holds(
      fc.asyncProperty(fc.constantFrom(...routes), body, address, async ({ method, url }, json, id) => {
        const response = await server.app.inject({
          method: method as 'POST',
          url: url.replace(/:\w+/, encodeURIComponent(id)),
          payload: JSON.stringify(json),
          headers: { 'content-type': 'application/json', ...(who === 'a member' && { cookie: session }) },
          remoteAddress: '127.0.0.1',
        });
        // No sign-in provider and no payment provider is configured.
        if (response.statusCode !== 503) expect(response.statusCode).toBeLessThan(500);
        if (response.statusCode >= 400) {
          expect(apiErrorSchema.parse(response.json()).error).toMatch(/^[A-Z].{5,}/);
        } else if (response.body !== '') response.json();
      }),
      300,
    );
  });
});

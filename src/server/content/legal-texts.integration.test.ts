import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOTP, URI } from 'otpauth';
import { expect, it } from 'vitest';
import { createBrowser, PASSWORD } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer } from '../../../tests/support/server-app.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The rows of the page's table, by name. */
function cookiesOnThePage(): Map<string, string> {
  const [, section = ''] = readFileSync('content/legal/privacy.md', 'utf8').split('## 4. Cookies');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `([\w-]+)` \|.*\| (.*) \|$/gm)];
  return new Map(rows.map(([, name = '', lasts = '']) => [name, lasts]));
}

/** Number of cookies declared in the code, so that the test misses none. */
function declaredCookies(): number {
  const texts = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join('src/server', name), 'utf8'));
  const count = (call: string) => texts.reduce((sum, text) => sum + text.split(call).length - 1, 0);
  expect(count('.setCookie('), 'calls of setCookie: all go through http/caller.ts').toBe(1);
  return count("createCookie('") + count('createOneTimeCookie(');
}

it('privacy page: its table names exactly the cookies that the server sets, and how long each lasts', async () => {
  const lasting = new Map<string, number>();
  const clock = createTestClock();
  const server = await startTestServer({
    clock,
    prepare(app) {
      app.addHook('onSend', async (_request, reply) => {
        for (const line of [reply.getHeader('set-cookie') ?? []].flat()) {
          const [, name = '', seconds] = /^([\w-]+)=.*; Max-Age=(\d+)/.exec(`${line}`) ?? [];
          // A deleted cookie has Max-Age=0.
          if (Number(seconds) > 0) lasting.set(name, Number(seconds));
        }
      });
    },
  });
  const anna = createBrowser(server.app);
  await anna.get('/');
  await anna.get('/api/auth/google');
  await anna.register('anna');
  await anna.pay('anna@example.org');
  await anna.login('anna');
  const started = await anna.post('/api/account/second-factor/start', { currentPassword: PASSWORD });
  const app = URI.parse(started.json<{ uri: string }>().uri);
  if (!(app instanceof TOTP)) throw new Error('no codes by time');
  const code = app.generate({ timestamp: clock.now().getTime() });
  await anna.post('/api/account/second-factor', { code });
  await createBrowser(server.app).login('anna');
  await server.close();

  expect(lasting.size, 'cookies that were set during the visit').toBe(declaredCookies());
  const page = cookiesOnThePage();
  expect([...page.keys()].sort()).toEqual([...lasting.keys()].sort());
  const words: Record<number, RegExp> = {
    600: /ten minutes/,
    [30 * DAY_SECONDS]: /30 days|thirty days/,
    [90 * DAY_SECONDS]: /ninety days at most/,
    [365 * DAY_SECONDS]: /one year/,
  };
  for (const [name, seconds] of lasting) expect(page.get(name), name).toMatch(words[seconds] ?? /never/);
});

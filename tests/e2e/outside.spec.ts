import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listArticles } from '#contract/calls/content';
import { cancelSubscription, getSubscription } from '#contract/calls/paying';
import { getUser, logout } from '#contract/calls/people';
import { extractText, getUsage } from '#contract/calls/recognition';
import { PAGES } from '#contract/paths';
import { becomeMember, open, PATIENT, REFUSALS } from './people.ts';
import { expect, test } from './test.ts';

/** What comes from outside the product: other sites' pages in the same browser, and markup in texts. */

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

test.describe('a page at another port of this host', () => {
  let neighbour: Server;
  test.beforeAll(async () => {
    neighbour = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Neighbour</title>');
    });
    await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
  });
  test.afterAll(async () => {
    neighbour.closeAllConnections();
    await new Promise((resolve) => neighbour.close(resolve));
  });

  test('can neither sign out, cancel nor charge, however it writes the address', async ({
    page,
    context,
    baseURL,
  }) => {
    await becomeMember(page, 'frida');
    const member = (path: string) => page.request.get(path).then((answer) => answer.json());
    const before = await member(getSubscription.path);

    const other = await context.newPage();
    await other.goto(`http://localhost:${(neighbour.address() as AddressInfo).port}/`);
    const tried = await other.evaluate(
      async ({ origin, paths }) => {
        const disguises = (path: string) => [
          path,
          path.replace('/api', '/%61pi'),
          path.replace('/api/', '/api%2F'),
          path.replace('/api/', '//api//'),
          path.replace('/api', '/x/..%2fapi'),
          path.replace('/api', '/%2e/api'),
          path.replace('/api', '\\api'),
          path.replace('/api', '/API'),
          `${path}/`,
        ];
        let count = 0;
        for (const path of paths) {
          for (const address of disguises(path)) {
            const form = new FormData();
            form.append('useFiltering', 'true');
            form.append('file', new Blob([new Uint8Array(100)], { type: 'image/png' }), 'a.png');
            // The answer is kept from such a page; what counts is what the request does.
            for (const body of [null, form, '{}']) {
              await fetch(origin + address, {
                method: 'POST',
                mode: 'no-cors',
                credentials: 'include',
                body,
              }).catch(() => {});
              count++;
            }
          }
        }
        return count;
      },
      { origin: baseURL ?? '', paths: [logout.path, cancelSubscription.path, extractText.path] },
    );
    expect(tried).toBe(81);
    await other.close();

    expect(await member(getUser.path)).toMatchObject({ user: { username: 'frida', isPremium: true } });
    expect(await member(getSubscription.path)).toEqual(before);
    expect(await member(getUsage.path)).toMatchObject({ imageCount: 0 });
  });
});

test.describe('the content policy', () => {
  test.describe('with markup from text', () => {
    test.use({ expectedConsole: [/TrustedHTML|Trusted Type/i] });

    test('has the browser refuse it and tell the server, in a line without a word of the page', async ({
      page,
      server,
    }) => {
      await open(page, `${PAGES.premium}?private=words`);
      const isRefused = await page.evaluate(() => {
        try {
          document.body.innerHTML = '<b>private words</b>';
          return false;
        } catch {
          return true;
        }
      });
      expect(isRefused).toBe(true);
      await expect
        .poll(
          () =>
            server
              .log()
              .split('\n')
              .find((line) => line.includes('content policy')),
          {
            timeout: 45_000,
          },
        )
        .toContain('"blocked":"trusted-types-sink"');
      expect(server.log()).toContain(`"page":"${PAGES.premium}"`);
      expect(server.log()).not.toContain('private');
    });
  });

  test('lets an article be read whose text names characters', async ({ page }) => {
    await page.route(`**${listArticles.path}/*`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        json: { ...(await answer.json()), content: 'Fish &amp; chips &copy; &hellip;' },
      });
    });
    await open(page, PAGES.blog);
    await page.getByRole('article').first().getByRole('link').click();
    await expect(page.getByText('Fish & chips © …')).toBeVisible();
  });
});

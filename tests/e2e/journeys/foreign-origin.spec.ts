import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getUser, logout } from '#contract/calls/accounts';
import { cancelSubscription, getSubscription } from '#contract/calls/billing';
import { extractText, getUsage } from '#contract/calls/recognition';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

test('foreign origin: a page at another port can neither sign out, cancel nor charge, with any spelling of the path', async ({
  page,
  context,
  baseURL,
}) => {
  const neighbour = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Neighbour</title>');
  });
  await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
  try {
    await becomeMember(page, 'frida');
    const member = (path: string) => page.request.get(path).then((answer) => answer.json());
    const before = await member(getSubscription.path);

    const other = await context.newPage();
    await other.goto(`http://localhost:${(neighbour.address() as AddressInfo).port}/`);
    const tried = await other.evaluate(
      async ({ origin, paths }) => {
        const pathVariants = (path: string) => [
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
          for (const address of pathVariants(path)) {
            const form = new FormData();
            form.append('useFiltering', 'true');
            form.append('file', new Blob([new Uint8Array(100)], { type: 'image/png' }), 'a.png');
            // The page never sees the response; the test checks the effect of the request.
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
  } finally {
    neighbour.closeAllConnections();
    await new Promise((resolve) => neighbour.close(resolve));
  }
});

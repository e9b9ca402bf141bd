import { API_PREFIX, FILES, PAGES } from '#contract/paths';
import { expect, test } from '../test.ts';

test('site: no link from the start page, the sitemap and the feed is dead, and no picture is missing', async ({
  request,
  server,
}) => {
  const queue: string[] = [PAGES.home, FILES.sitemap, FILES.feed];
  const seen = new Map<string, number>();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    const response = await request.get(path, { maxRedirects: 0 });
    seen.set(path, response.status());
    if (!/html|xml/.test(response.headers()['content-type'] ?? '')) continue;
    const body = await response.text();
    for (const [, address = ''] of body.matchAll(/(?:href|src|content)="([^"]+)"|<loc>([^<]+)<\/loc>/g)) {
      const url = new URL(address.replaceAll('&amp;', '&'), server.url);
      const looksLikeAddress = /^(https?:|\/)/.test(address);
      if (looksLikeAddress && url.origin === server.url && !url.pathname.startsWith(API_PREFIX))
        queue.push(url.pathname);
    }
  }
  expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
  expect(seen.size).toBeGreaterThan(40);
});

import { listArticles } from '#contract/calls/content';
import { articlePage, PUBLIC_PAGES } from '#contract/paths';
import { expect, test } from '../test.ts';

test('crawler: every page has its own title, a heading, a canonical address, a description, valid JSON-LD and the support address', async ({
  request,
  server,
}) => {
  const { articles } = listArticles.answers[200].parse(await (await request.get(listArticles.path)).json());
  const titles = new Set<string>();
  const paths = [...PUBLIC_PAGES, ...articles.map(({ slug }) => articlePage(slug))];
  for (const path of paths) {
    const html = await (await request.get(path)).text();
    titles.add(/<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '');
    expect(html, path).toMatch(/<h1[^>]*>[^<]+/);
    expect(html, path).toContain(`<link rel="canonical" href="${server.url}${path}"`);
    expect(html, path).toContain('href="mailto:support@glyphlift.example"');
    expect(html, path).toMatch(/<meta name="description" content="[^"]{50,}"/);
    const picture = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
    expect((await request.get(picture)).headers()['content-type'], path).toBe('image/png');
    const data = [...html.matchAll(/<script type="application\/ld\+json">([^<]+)<\/script>/g)].map(
      ([, json]) => JSON.parse(json!),
    );
    expect(data.length, path).toBeGreaterThan(0);
    for (const node of data)
      expect(node).toMatchObject({ '@context': 'https://schema.org', '@type': expect.any(String) });
    if (path.startsWith('/blog/')) {
      const posting = data.find((node) => node['@type'] === 'BlogPosting');
      expect(posting).toMatchObject({
        headline: expect.any(String),
        datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
      expect(posting.headline.length).toBeLessThanOrEqual(110);
    }
  }
  expect(titles.size).toBe(paths.length);
});

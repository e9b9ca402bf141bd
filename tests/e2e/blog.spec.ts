import { articleListSchema } from '#contract/blog';
import { listArticles } from '#contract/calls/content';
import { API_PREFIX, articlePage, FILES, PAGES, PUBLIC_PAGES } from '#contract/paths';
import { open } from './people.ts';
import { expect, test } from './test.ts';

const SCHEMES = ['light', 'dark'] as const;

test.describe('the blog @every-width', () => {
  for (const colorScheme of SCHEMES) {
    test.describe(colorScheme, () => {
      test.use({ colorScheme });

      test('leads from the list to an article, its related ones and back', async ({
        page,
        request,
        expectAccessible,
      }) => {
        const { articles } = articleListSchema.parse(await (await request.get(listArticles.path)).json());
        const [lead] = articles;
        await page.goto(PAGES.blog);
        await expect(page.getByRole('article')).toHaveCount(articles.length);
        const featured = page.getByRole('article').first();
        await expect(featured).toContainText(lead!.excerpt);
        await expect(featured).toContainText(lead!.readingTime);
        await expect(featured.locator('time')).toHaveText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/);
        await expectAccessible();

        await featured.getByRole('link', { name: lead!.title }).click();
        await expect(page).toHaveURL(articlePage(lead!.slug));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(lead!.title);
        await expect(page).toHaveTitle(new RegExp(lead!.title.slice(0, 20)));
        await expect(page.getByText(`${lead!.readingTime} read`)).toBeVisible();
        await expect(page.getByRole('figure', { name: 'Sponsored content' })).toHaveCount(2);
        await expect(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem')).toHaveText([
          'Home',
          'Blog',
          lead!.title,
        ]);
        await expectAccessible();

        const related = page.getByRole('region', { name: 'Related Articles' }).getByRole('article');
        expect(await related.count()).toBeLessThanOrEqual(3);
        const other = related.first().getByRole('link');
        const title = (await other.textContent()) ?? '';
        await other.click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);

        await page.getByRole('link', { name: 'Back to Blog' }).click();
        await expect(page).toHaveURL(PAGES.blog);
        await page.goBack();
        await page.getByRole('link', { name: 'Glyphlift OCR' }).click();
        await expect(page).toHaveURL(PAGES.home);
      });
    });
  }
});

test.describe('an article', () => {
  test('is read without scripts', async ({ browser, server }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.url}/blog/how-text-recognition-works`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    expect((await page.locator('.prose').allInnerTexts()).join(' ').split(/\s+/).length).toBeGreaterThan(700);
    await context.close();
  });

  test('comes read from the server; only an article that is opened from the page needs the parser', async ({
    page,
  }) => {
    const parsers: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('readable-article')) parsers.push(request.url());
    });
    await page.goto('/blog/how-text-recognition-works', { waitUntil: 'networkidle' });
    expect(parsers).toEqual([]);
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.getByRole('region', { name: 'Related Articles' }).getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(title);
    await expect(page.locator('.prose h2').first()).toBeVisible();
    expect(parsers).toHaveLength(1);
  });

  test.describe('that does not exist', () => {
    test.use({ expectedConsole: [/404/] });

    test('answers 404 with a way back', async ({ page }) => {
      const response = await page.goto('/blog/no-such-article');
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
      await expect(
        page.getByText("The article you're looking for doesn't exist or has been moved."),
      ).toBeVisible();
      await page.getByRole('link', { name: 'Back to Blog' }).click();
      await expect(page).toHaveURL(PAGES.blog);
    });

    for (const [slug, status] of [
      ['..%2f..%2fetc%2fpasswd', 400],
      ['a%2fb', 400],
      ['%2e%2e%2f', 400],
      ['x'.repeat(1_000), 404],
      ['x'.repeat(10_000), 414],
    ] as const) {
      test(`answers ${status} for the slug ${slug.slice(0, 24)}`, async ({ request }) => {
        const response = await request.get(`/blog/${slug}`);
        expect(response.status()).toBe(status);
        expect(response.headers()['content-type']).toContain('text/html');
      });
    }
  });

  test.describe('whose call fails', () => {
    test.use({ expectedConsole: [/500/] });

    test('shows a skeleton and then "Article Not Found"', async ({ page }) => {
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(`**${listArticles.path}/*`, async (route) => {
        await held;
        await route.fulfill({ status: 500, json: { error: 'x' } });
      });
      await open(page, PAGES.blog);
      await page.getByRole('article').nth(1).getByRole('link').click();
      await expect(page.getByRole('status', { name: 'Loading the article' })).toBeVisible();
      answer();
      await expect(page.getByRole('heading', { name: 'Article Not Found' })).toBeVisible();
    });

    test('"Blog Unavailable" stands where the list cannot be loaded', async ({ page }) => {
      await page.route(`**${listArticles.path}`, (route) =>
        route.fulfill({ status: 500, json: { error: 'x' } }),
      );
      await open(page, PAGES.home);
      await page.getByRole('link', { name: 'Blog' }).first().click();
      await expect(page.getByText('Blog Unavailable')).toBeVisible();
      await expect(page.getByText('Unable to load blog articles. Please try again later.')).toBeVisible();
    });
  });
});

test.describe('legal pages @every-width', () => {
  for (const [path, title, sections] of [
    [PAGES.terms, 'Terms of Service', 9],
    [PAGES.privacy, 'Privacy Policy', 10],
    [PAGES.refund, 'Refund Policy', 9],
  ] as const) {
    test(`${title} has ${sections} sections, today's date and a way back to the app`, async ({
      page,
      expectAccessible,
    }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page.getByRole('heading', { level: 2 })).toHaveCount(sections);
      const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(),
      );
      await expect(page.getByText('Last updated')).toContainText(today);
      await expect(page.getByText('{{')).toHaveCount(0);
      await expectAccessible();
      await page.getByRole('link', { name: 'Back to App' }).click();
      await expect(page).toHaveURL(PAGES.home);
    });
  }
});

test.describe('a crawler without scripts', () => {
  test('finds a title, a heading, a canonical address, a description and valid JSON-LD on every page', async ({
    request,
    server,
  }) => {
    const { articles } = articleListSchema.parse(await (await request.get(listArticles.path)).json());
    const titles = new Set<string>();
    const paths = [...PUBLIC_PAGES, ...articles.map(({ slug }) => articlePage(slug))];
    for (const path of paths) {
      const html = await (await request.get(path)).text();
      titles.add(/<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '');
      expect(html, path).toMatch(/<h1[^>]*>[^<]+/);
      expect(html, path).toContain(`<link rel="canonical" href="${server.url}${path}"`);
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

  test('finds no dead link and no missing picture on the whole site', async ({ request, server }) => {
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
});

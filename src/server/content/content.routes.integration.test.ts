import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { urlOf } from '#contract/call';
import { listArticles, readArticle } from '#contract/calls/content';
import { FILES } from '#contract/paths';
import { createVisitor, sharedServer } from '../../../tests/support/server-app.ts';

describe('the blog', () => {
  const server = sharedServer({ env: { PUBLIC_URL: 'https://glyphlift.example' } });
  const get = (url: string) => createVisitor(server.app).get(url);

  it('lists its articles, and answers each by its slug', async () => {
    const { articles } = listArticles.answers[200].parse((await get(listArticles.path)).json());
    expect(articles.length).toBeGreaterThanOrEqual(10);
    for (const { slug, title } of articles) {
      const article = readArticle.answers[200].parse((await get(urlOf(readArticle, { slug }))).json());
      expect(article.title).toBe(title);
      expect(article.content.split(/\s+/).length).toBeGreaterThan(700);
    }
  });

  it.each(['unknown', '__proto__', 'constructor', 'a%20b'])(
    'answers 404 "Article not found" for the slug %s',
    async (slug) => {
      const response = await get(`${listArticles.path}/${slug}`);
      expect([response.statusCode, response.json()]).toEqual([
        404,
        { error: 'Article not found', code: 'content.article_not_found' },
      ]);
    },
  );

  it.each([
    ['..%2f..%2fpackage.json', 400],
    ['%2e%2e%2f%2e%2e%2fpackage', 400],
    ['..%5c..%5cpackage', 400],
    ['a%2fb', 400],
    ['a%00b', 400],
    ['x'.repeat(1000), 404],
    ['x'.repeat(10_000), 414],
  ])('rejects the slug %.40s without a lookup', async (slug, status) => {
    const response = await get(`${listArticles.path}/${slug}`);
    expect([response.statusCode, Object.keys(response.json())]).toEqual([status, ['error', 'code']]);
  });

  it('answers 400 for an invalid slug, as JSON', async () => {
    const response = await get(`${listArticles.path}/%ff`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toHaveProperty('error');
  });

  it.each([
    '/blog/images/../../../package.json',
    '/blog/images/..%2f..%2f..%2fpackage.json',
    '/blog/images/',
    '/blog/images/none.webp',
  ])('serves no file outside the image folder for %s', async (path) => {
    const response = await get(path);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.body).not.toContain('"glyphlift"');
  });

  it('serves the pictures of its articles', async () => {
    const { articles } = listArticles.answers[200].parse((await get(listArticles.path)).json());
    for (const { slug } of articles) {
      const { pictures } = readArticle.answers[200].parse((await get(urlOf(readArticle, { slug }))).json());
      for (const { src } of pictures) expect((await get(src)).statusCode, src).toBe(200);
    }
  });

  it('names the security contact, for half a year from now, and the policy', async () => {
    const response = await get(FILES.security);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toBe(
      [
        'Contact: mailto:support@glyphlift.example',
        'Expires: 2026-10-31T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://glyphlift.example/.well-known/security.txt',
        'Policy: https://glyphlift.example/.well-known/security-policy.txt',
        '',
      ].join('\n'),
    );
    const policy = await get(FILES.securityPolicy);
    expect(policy.body).toContain('support@glyphlift.example');
  });

  it('has a feed, a sitemap and robots.txt on its public address', async () => {
    for (const path of ['/feed.xml', '/sitemap.xml']) {
      const { body, headers } = await get(path);
      expect(headers['content-type']).toMatch(/xml/);
      expect(XMLValidator.validate(body)).toBe(true);
      expect(body).toContain('https://glyphlift.example/blog/');
    }
    expect((await get('/robots.txt')).body).toContain('Sitemap: https://glyphlift.example/sitemap.xml');
  });
});

import { XMLBuilder } from 'fast-xml-parser';
import type { ArticleSummary } from '#contract/calls/content';
import { articlePage, FILES, PAGES, PUBLIC_PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
});
const declaration = { '?xml': { '@version': '1.0', '@encoding': 'utf-8' } };

const midnightOf = (day: string): string => `${day}T00:00:00Z`;

/**
 * An Atom feed (RFC 4287) of the articles, newest first.
 * @param publicUrl origin without a trailing slash
 */
export function atomFeed(articles: readonly ArticleSummary[], publicUrl: string): string {
  const [newest] = articles;
  return builder.build({
    ...declaration,
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      '@xml:lang': 'en',
      id: `${publicUrl}${PAGES.blog}`,
      title: `${BRAND.name} blog`,
      subtitle: 'How pictures of text become text.',
      updated: midnightOf(newest?.publishedDate ?? '1970-01-01'),
      link: [
        { '@rel': 'self', '@type': 'application/atom+xml', '@href': `${publicUrl}${FILES.feed}` },
        { '@rel': 'alternate', '@type': 'text/html', '@href': `${publicUrl}${PAGES.blog}` },
      ],
      entry: articles.map((article) => ({
        id: `${publicUrl}${articlePage(article.slug)}`,
        title: article.title,
        updated: midnightOf(article.publishedDate),
        published: midnightOf(article.publishedDate),
        author: { name: article.author },
        link: {
          '@rel': 'alternate',
          '@type': 'text/html',
          '@href': `${publicUrl}${articlePage(article.slug)}`,
        },
        category: article.tags.map((tag) => ({ '@term': tag })),
        summary: article.excerpt,
      })),
    },
  });
}

/**
 * The sitemap (sitemaps.org protocol). Only articles and the article list have dates, because other pages have no known date.
 * @param publicUrl origin without a trailing slash
 */
export function sitemap(articles: readonly ArticleSummary[], publicUrl: string): string {
  const newest = articles[0]?.publishedDate;
  const pages = PUBLIC_PAGES.map((path) => ({
    loc: `${publicUrl}${path}`,
    ...(path === PAGES.blog && newest ? { lastmod: newest } : {}),
  }));
  const posts = articles.map(({ slug, publishedDate }) => ({
    loc: `${publicUrl}${articlePage(slug)}`,
    lastmod: publishedDate,
  }));
  return builder.build({
    ...declaration,
    urlset: { '@xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9', url: [...pages, ...posts] },
  });
}

/** @param publicUrl origin without a trailing slash */
export function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}${FILES.sitemap}\n`;
}

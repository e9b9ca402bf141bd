import type { Site } from '#contract/page';
import { articlePage, PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { breadcrumbs } from '../../router/head.ts';
import type { PageMeta } from '../../router/page.ts';
import type { ParsedArticle } from './parsed-article.ts';

/** The metadata of an article for search engines and link previews. */
export function articleMeta(article: ParsedArticle, site: Site): PageMeta {
  const path = articlePage(article.slug);
  const image = `/social/${article.slug}.png`;
  const publisher = { '@type': 'Organization', name: BRAND.name, url: `${site.publicUrl}${PAGES.home}` };
  const [minutes] = article.readingTime.split(' ');
  return {
    title: article.title,
    description: article.description,
    path,
    image,
    type: 'article',
    jsonLd: [
      {
        '@type': 'BlogPosting',
        headline: article.title,
        description: article.description,
        abstract: article.excerpt,
        image: [`${site.publicUrl}${image}`],
        author: { '@type': 'Organization', name: article.author, url: `${site.publicUrl}${PAGES.home}` },
        publisher,
        datePublished: article.publishedDate,
        dateModified: article.publishedDate,
        mainEntityOfPage: `${site.publicUrl}${path}`,
        url: `${site.publicUrl}${path}`,
        keywords: article.tags.join(', '),
        timeRequired: `PT${minutes}M`,
        wordCount: article.wordCount,
        inLanguage: 'en',
      },
      breadcrumbs(site, [
        { name: 'Blog', path: PAGES.blog },
        { name: article.title, path },
      ]),
    ],
  };
}

import { HttpResponse, http, type RequestHandler } from 'msw';
import { type Article, listArticles, readArticle } from '#contract/calls/content';
import { answers } from './server.ts';

const article = (slug: string, title: string, publishedDate: string, ...tags: string[]): Article => ({
  id: slug,
  slug,
  title,
  excerpt: `What there is to know about ${title.toLowerCase()}, in short.`,
  description: `An article about ${title.toLowerCase()}.`,
  author: 'Glyphlift',
  publishedDate,
  readingTime: '4 min',
  tags,
  content: [
    '## Before the camera',
    `A [receipt](/blog/receipts) fades. See the [languages](/languages) that are read.`,
    '## After it',
    'Long lines '.repeat(60),
    '## In the end',
    'Keep the original.',
  ].join('\n\n'),
  pictures: [],
});

/** Newest first, like the server's list. The first article shares a tag with four others. */
export const ARTICLES: readonly Article[] = [
  article('receipts', 'Reading receipts', '2026-11-18', 'receipts', 'camera'),
  article('light', 'Light for a page', '2026-10-02', 'camera'),
  article('tables', 'Tables and columns', '2026-09-21', 'receipts', 'layout'),
  article('privacy', 'Privacy of pictures', '2026-08-07', 'privacy'),
  article('focus', 'Focus and blur', '2026-07-30', 'camera'),
  article('paper', 'Thermal paper', '2026-06-14', 'receipts'),
];

/** Handlers of both blog calls. The list has no content, like the server's. */
export const blogHandlers = (articles: readonly Article[] = ARTICLES): RequestHandler[] => [
  answers(listArticles, () => ({
    articles: articles.map(({ content, pictures, ...summary }) => summary),
  })),
  http.get(readArticle.path, ({ params }) => {
    const found = articles.find(({ slug }) => slug === params.slug);
    return found
      ? HttpResponse.json(found)
      : HttpResponse.json({ error: 'Article not found', code: 'content.article_not_found' }, { status: 404 });
  }),
];

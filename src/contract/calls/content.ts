import { z } from 'zod';
import { call } from '../call.ts';

/*
 * Content: the articles of the blog.
 */

/** Size in pixels, measured at the start, so that the layout does not shift while an image loads. */
const pictureSizeSchema = z.object({ src: z.string(), width: z.int(), height: z.int() });

/** For a card in a list. Newest articles come first. */
const articleSummarySchema = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  /** One or two sentences for people. */
  excerpt: z.string(),
  /** One sentence for search engines. */
  description: z.string(),
  author: z.string(),
  /** A UTC day, `2026-11-18`. */
  publishedDate: z.iso.date(),
  /** Such as `5 min`. */
  readingTime: z.string(),
  tags: z.array(z.string()),
});
export type ArticleSummary = z.infer<typeof articleSummarySchema>;

const articleSchema = articleSummarySchema.extend({
  content: z.string(),
  pictures: z.array(pictureSizeSchema),
});
export type Article = z.infer<typeof articleSchema>;

const articleListSchema = z.object({ articles: z.array(articleSummarySchema) });

export const listArticles = call({
  method: 'GET',
  path: '/api/blog/articles',
  summary: 'List the articles, newest first',
  access: 'anyone',
  answers: { 200: articleListSchema },
});

export const readArticle = call({
  method: 'GET',
  path: '/api/blog/articles/:slug',
  summary: 'Get an article as Markdown',
  access: 'anyone',
  params: z.object({ slug: z.string() }),
  answers: { 200: articleSchema },
  errors: ['content.article_not_found'],
});

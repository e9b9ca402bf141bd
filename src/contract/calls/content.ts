import { z } from 'zod';
import { articleListSchema, articleSchema } from '../blog.ts';
import { call } from '../call.ts';

/*
 * Content: the articles of the blog.
 */

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

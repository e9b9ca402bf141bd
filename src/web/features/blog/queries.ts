import { queryOptions } from '@tanstack/react-query';
import type { Article } from '#contract/calls/content';
import { content } from '../../api/client.ts';
import type { ParsedArticle } from './parsed-article.ts';

/** Loaded with the first fetch, because the server's markup needs no parser. */
const loadParser = () => import('./parsed-article.ts');

/** Parses an article into the data of `articleQuery`, on the server. */
export async function toParsedArticle(article: Article): Promise<ParsedArticle> {
  const { parseArticle } = await loadParser();
  return parseArticle(article);
}

export const articlesQuery = queryOptions({
  queryKey: ['api', 'blog', 'articles'],
  queryFn: async ({ signal }) => (await content.ask('GET /api/blog/articles', { signal })).articles,
});

/** Every error becomes "Article not found". */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: ['api', 'blog', 'articles', slug],
    queryFn: async ({ signal }) => {
      try {
        const [article, { parseArticle }] = await Promise.all([
          content.ask('GET /api/blog/articles/:slug', { params: { slug }, signal }),
          loadParser(),
        ]);
        return parseArticle(article);
      } catch (cause) {
        throw new Error('Article not found', { cause });
      }
    },
    enabled: slug !== '',
    // The server did not find the article, so the browser does not fetch it again.
    retryOnMount: false,
  });

import { queryOptions } from '@tanstack/react-query';
import type { Article } from '#contract/calls/content';
import { content } from '../../api/client.ts';
import type { ReadableArticle } from './readable-article.ts';

/** Loaded with the first fetch: the server's markup needs no parser. */
const reader = () => import('./readable-article.ts');

/** How `articleQuery` keeps an article that the server has at hand. */
export async function toReadable(article: Article): Promise<ReadableArticle> {
  const { readableArticle } = await reader();
  return readableArticle(article);
}

export const articlesQuery = queryOptions({
  queryKey: ['api', 'blog', 'articles'],
  queryFn: async ({ signal }) => (await content.ask('GET /api/blog/articles', { signal })).articles,
});

/** Any answer but a success means that there is no such article. */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: ['api', 'blog', 'articles', slug],
    queryFn: async ({ signal }) => {
      try {
        const [article, { readableArticle }] = await Promise.all([
          content.ask('GET /api/blog/articles/:slug', { params: { slug }, signal }),
          reader(),
        ]);
        return readableArticle(article);
      } catch (cause) {
        throw new Error('Article not found', { cause });
      }
    },
    enabled: slug !== '',
    // An article that the server did not find will not be there a moment later.
    retryOnMount: false,
  });

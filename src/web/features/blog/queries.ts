import { queryOptions } from '@tanstack/react-query';
import type { Article } from '#contract/blog';
import { API, articleApi } from '#contract/paths';
import { request } from '../../api.ts';
import type { ReadableArticle } from './readable-article.ts';

/** Loaded with the first answer: what the server rendered needs no check, */
const schemas = () => import('#contract/blog');
/** and its text is read already. */
const reader = () => import('./readable-article.ts');

/** How `articleQuery` keeps an article that the server has at hand. */
export async function toReadable(article: Article): Promise<ReadableArticle> {
  const { readableArticle } = await reader();
  return readableArticle(article);
}

export const articlesQuery = queryOptions({
  queryKey: ['api', 'blog', 'articles'],
  queryFn: async ({ signal }) => {
    const [response, { articleListSchema }] = await Promise.all([
      request(API.articles, { signal }),
      schemas(),
    ]);
    return articleListSchema.parse(await response.json()).articles;
  },
});

/** Any answer but a success means that there is no such article. */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: ['api', 'blog', 'articles', slug],
    queryFn: async ({ signal }) => {
      try {
        const [response, { articleSchema }, { readableArticle }] = await Promise.all([
          request(articleApi(slug), { signal }),
          schemas(),
          reader(),
        ]);
        return readableArticle(articleSchema.parse(await response.json()));
      } catch (cause) {
        throw new Error('Article not found', { cause });
      }
    },
    enabled: slug !== '',
    // An article that the server did not find will not be there a moment later.
    retryOnMount: false,
  });

import { queryOptions } from '@tanstack/react-query';
import { API, articleApi } from '#contract/paths';
import { request } from '../../api.ts';

/** Loaded with the first answer: the server's own markup needs no check. */
const schemas = () => import('#contract/blog');

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
        const [response, { articleSchema }] = await Promise.all([
          request(articleApi(slug), { signal }),
          schemas(),
        ]);
        return articleSchema.parse(await response.json());
      } catch (cause) {
        throw new Error('Article not found', { cause });
      }
    },
    enabled: slug !== '',
    // An article that the server did not find will not be there a moment later.
    retryOnMount: false,
  });

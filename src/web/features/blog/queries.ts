import { queryOptions } from '@tanstack/react-query';
import { articleListSchema, articleSchema } from '#contract/blog';
import { API, articleApi } from '#contract/paths';
import { request } from '../../api.ts';

export const articlesQuery = queryOptions({
  queryKey: ['api', 'blog', 'articles'],
  queryFn: async ({ signal }) =>
    articleListSchema.parse(await (await request(API.articles, { signal })).json()).articles,
});

/** Any answer but a success means that there is no such article. */
export const articleQuery = (slug: string) =>
  queryOptions({
    queryKey: ['api', 'blog', 'articles', slug],
    queryFn: async ({ signal }) => {
      try {
        return articleSchema.parse(await (await request(articleApi(slug), { signal })).json());
      } catch (cause) {
        throw new Error('Article not found', { cause });
      }
    },
    enabled: slug !== '',
    // An article that the server did not find will not be there a moment later.
    retryOnMount: false,
  });

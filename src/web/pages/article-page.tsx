import { articleMeta } from '../features/blog/article-meta.ts';
import { articleQuery, articlesQuery, toParsedArticle } from '../features/blog/queries.ts';
import { withoutHydration } from '../hydration/lazy.tsx';
import type { Page } from '../router/page.ts';
import { useParams } from '../router/router.tsx';

const Article = withoutHydration(async () => (await import('../features/blog/article-view.tsx')).ArticleView);

function ArticlePage() {
  const { slug = '' } = useParams();
  return (
    <div className="page-width py-8 md:py-12">
      <Article key={slug} slug={slug} />
    </div>
  );
}

export const page: Page = {
  Component: ArticlePage,
  parts: [Article],
  dataStaysInMarkup: true,
  async load({ params: { slug = '' }, queryClient, data }) {
    const article = await data.article(slug);
    const requireArticle = async () => {
      if (!article) throw new Error('Article not found');
      return toParsedArticle(article);
    };
    await Promise.all([
      queryClient.prefetchQuery({ ...articleQuery(slug), queryFn: requireArticle }),
      queryClient.prefetchQuery({ ...articlesQuery, queryFn: () => data.articles() }),
    ]);
    return article ? 200 : 404;
  },
  meta({ site, params: { slug = '' }, queryClient }) {
    const article = queryClient.getQueryData(articleQuery(slug).queryKey);
    if (article) return articleMeta(article, site);
    const isMissing = queryClient.getQueryState(articleQuery(slug).queryKey)?.status === 'error';
    return {
      title: isMissing ? 'Article Not Found' : 'Blog',
      description: 'Articles about optical character recognition.',
    };
  },
};

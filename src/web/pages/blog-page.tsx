import { PAGES } from '#contract/paths';
import { articlesQuery } from '../features/blog/queries.ts';
import { withoutHydration } from '../hydration/lazy.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';
import { ButtonLink } from '../ui/basics/button.tsx';

const Articles = withoutHydration(
  async () => (await import('../features/blog/article-list.tsx')).ArticleList,
);

function Blog() {
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="max-w-3xl text-4xl">Notes on reading pictures</h1>
      <p className="mt-5 mb-10 max-w-xl text-lg text-ink-soft md:mb-14">
        How recognition works, where it fails, and what you can do with a camera and a lamp before it has to.
      </p>
      <Articles />
      <aside className="mt-20 flex flex-wrap items-center justify-between gap-6 border-t-2 border-rule-heavy pt-8">
        <p className="max-w-lg text-xl">Enough about other people's pictures. Try it with one of yours.</p>
        <ButtonLink to={PAGES.home} size="large">
          Extract text from a picture
        </ButtonLink>
      </aside>
    </div>
  );
}

export const page: Page = {
  Component: Blog,
  parts: [Articles],
  async load({ queryClient, data }) {
    await queryClient.prefetchQuery({ ...articlesQuery, queryFn: () => data.articles() });
    return undefined;
  },
  meta: ({ site }) => ({
    title: 'Blog: notes on reading pictures',
    description:
      'Articles about optical character recognition: how it works, where it fails, and how to help it.',
    path: PAGES.blog,
    jsonLd: [breadcrumbs(site, [{ name: 'Blog', path: PAGES.blog }])],
  }),
};

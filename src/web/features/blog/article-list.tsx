import { useQuery } from '@tanstack/react-query';
import type { ArticleSummary } from '#contract/calls/content';
import { articlePage } from '#contract/paths';
import { Link } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { ArticleCard, PublishedDate, Tags } from './article-card.tsx';
import { articlesQuery } from './queries.ts';

/** All articles: the newest one featured, the others in a grid. */
export function ArticleList() {
  const { data: articles, isPending } = useQuery(articlesQuery);
  if (isPending) return <LoadingList />;
  if (!articles) return <BlogUnavailable />;
  const [lead, ...rest] = articles;
  return (
    <>
      {lead && <LeadArticle article={lead} />}
      <ul className="mt-16 grid gap-x-8 gap-y-12 md:grid-cols-2 lg:grid-cols-3">
        {rest.map((article) => (
          <li key={article.id}>
            <ArticleCard article={article}>
              {' · '}
              <PublishedDate day={article.publishedDate} />
            </ArticleCard>
          </li>
        ))}
      </ul>
    </>
  );
}

function LeadArticle({ article }: { article: ArticleSummary }) {
  return (
    <article className="group relative grid gap-x-12 gap-y-4 border-y-2 border-rule-heavy py-8 lg:grid-cols-[3fr_2fr] lg:py-12">
      <div>
        <Tags tags={article.tags.slice(0, 2)} />
        <h2 className="mt-4 text-3xl">
          <Link
            to={articlePage(article.slug)}
            className="underline-offset-6 group-hover:underline after:absolute after:inset-0"
          >
            {article.title}
          </Link>
        </h2>
      </div>
      <div className="flex flex-col justify-end gap-4">
        <p className="text-lg text-ink-soft">{article.excerpt}</p>
        <p className="text-sm text-ink-soft">
          {article.author} · <PublishedDate day={article.publishedDate} /> · {article.readingTime}
        </p>
      </div>
    </article>
  );
}

function LoadingList() {
  return (
    <div role="status" aria-label="Loading articles">
      <Skeleton className="h-56 w-full" />
      <div className="mt-16 grid gap-x-8 gap-y-12 md:grid-cols-2 lg:grid-cols-3">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} className="h-52 w-full" />
        ))}
      </div>
    </div>
  );
}

function BlogUnavailable() {
  return (
    <section role="alert" className="border-y-2 border-rule-heavy py-16">
      <h2 className="text-3xl">Blog Unavailable</h2>
      <p className="mt-3 text-ink-soft">Unable to load blog articles. Please try again later.</p>
    </section>
  );
}

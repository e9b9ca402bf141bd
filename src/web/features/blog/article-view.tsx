import { useQuery } from '@tanstack/react-query';
import type { ArticleSummary } from '#contract/calls/content';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { ResponsiveAdSlot, useAds } from '../../ui/basics/ad-slot.tsx';
import { ButtonLink, Link } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { ArticleCard, PublishedDate, Tags } from './article-card.tsx';
import type { ParsedArticle } from './parsed-article.ts';
import { articleQuery, articlesQuery } from './queries.ts';

/** One article by its slug, with a skeleton while it loads and a message if there is none. */
export function ArticleView({ slug }: { slug: string }) {
  const { data: article, isLoading } = useQuery(articleQuery(slug));
  if (isLoading) return <LoadingArticle />;
  return article ? <LoadedArticle article={article} /> : <ArticleNotFound />;
}

function LoadedArticle({ article }: { article: ParsedArticle }) {
  const [first, second] = article.sections;
  return (
    <>
      <article className="mx-auto max-w-2xl">
        <Breadcrumbs title={article.title} />
        <header className="mt-10">
          <Tags tags={article.tags} />
          <h1 className="mt-4 text-4xl">{article.title}</h1>
          <p className="mt-5 text-sm text-ink-soft">
            {article.author} · <PublishedDate day={article.publishedDate} /> · {article.readingTime} read
          </p>
          <p className="mt-6 border-l-2 border-ink pl-5 text-xl leading-relaxed text-ink-soft">
            {article.excerpt}
          </p>
        </header>
        <SponsoredSlot />
        <Markdown nodes={first} pictures={article.pictures} />
        <SponsoredSlot />
        {second.length > 0 && <Markdown nodes={second} pictures={article.pictures} />}
        <div className="mt-14 flex flex-wrap gap-3">
          <ButtonLink to={PAGES.blog} variant="secondary">
            <Icon name="back" />
            Back to Blog
          </ButtonLink>
          <ButtonLink to={PAGES.home}>{BRAND.name} OCR</ButtonLink>
        </div>
      </article>
      <RelatedArticles article={article} />
    </>
  );
}

function Breadcrumbs({ title }: { title: string }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-soft [&>li+li]:before:mr-2 [&>li+li]:before:content-['/']">
        <li>
          <Link to={PAGES.home} className="text-link">
            Home
          </Link>
        </li>
        <li>
          <Link to={PAGES.blog} className="text-link">
            Blog
          </Link>
        </li>
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}

function SponsoredSlot() {
  if (!useAds()) return null;
  return (
    <figure aria-label="Sponsored content" data-ad className="my-10">
      {/* The banner is wider than a line of text. */}
      <ResponsiveAdSlot wide="banner" className="md:-mx-7" />
    </figure>
  );
}

function RelatedArticles({ article }: { article: ParsedArticle }) {
  const { data: all = [] } = useQuery(articlesQuery);
  const related = relatedArticles(article, all);
  if (related.length === 0) return null;
  return (
    <section className="mt-20 border-t-2 border-rule-heavy pt-8" aria-labelledby="related">
      <h2 id="related" className="text-3xl">
        Related Articles
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-10 md:grid-cols-3">
        {related.map((other) => (
          <li key={other.id}>
            <ArticleCard article={other} level="h3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LoadingArticle() {
  return (
    <div role="status" aria-label="Loading the article" className="mx-auto max-w-2xl space-y-6">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  );
}

function ArticleNotFound() {
  return (
    <section role="alert" className="mx-auto max-w-2xl py-16">
      <h1 className="text-4xl">Article Not Found</h1>
      <p className="mt-4 text-lg text-ink-soft">
        The article you're looking for doesn't exist or has been moved.
      </p>
      <ButtonLink to={PAGES.blog} className="mt-8">
        Back to Blog
      </ButtonLink>
    </section>
  );
}

const MAX = 3;

/** Up to three other articles that share a tag with this one, ordered by the number of shared tags, then newest first. */
export function relatedArticles(article: ArticleSummary, all: readonly ArticleSummary[]): ArticleSummary[] {
  const shared = (other: ArticleSummary) => other.tags.filter((tag) => article.tags.includes(tag)).length;
  return all
    .filter((other) => other.slug !== article.slug && shared(other) > 0)
    .sort((a, b) => shared(b) - shared(a) || b.publishedDate.localeCompare(a.publishedDate))
    .slice(0, MAX);
}

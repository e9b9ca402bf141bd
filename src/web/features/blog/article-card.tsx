import type { ReactNode } from 'react';
import type { ArticleSummary } from '#contract/calls/content';
import { longDate } from '#contract/long-date';
import { articlePage } from '#contract/paths';
import { Link } from '../../ui/basics/button.tsx';

const TAGS_SHOWN = 2;

/** A teaser for one article. The whole card is the link's target; `children` is the end of the last line. */
export function ArticleCard({
  article,
  level = 'h2',
  children,
}: {
  article: ArticleSummary;
  level?: 'h2' | 'h3';
  children?: ReactNode;
}) {
  const Heading = level;
  return (
    <article className="group relative flex h-full flex-col border-t border-rule-heavy pt-4">
      <Tags tags={article.tags.slice(0, TAGS_SHOWN)} />
      <Heading className="mt-3 text-xl leading-snug">
        <Link
          to={articlePage(article.slug)}
          className="underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {article.title}
        </Link>
      </Heading>
      <p className="mt-2 grow text-ink-soft">{article.excerpt}</p>
      <p className="mt-4 text-sm text-ink-soft">
        {article.author} · {article.readingTime}
        {children}
      </p>
    </article>
  );
}

export function PublishedDate({ day }: { day: string }) {
  return <time dateTime={day}>{longDate(day)}</time>;
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 font-mono text-xs text-ink-soft" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

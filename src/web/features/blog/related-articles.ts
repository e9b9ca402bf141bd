import type { ArticleSummary } from '#contract/blog';

const MOST = 3;

/** Up to three other articles that share a tag with this one; those that share more come first, then newer ones. */
export function relatedArticles(article: ArticleSummary, all: readonly ArticleSummary[]): ArticleSummary[] {
  const shared = (other: ArticleSummary) => other.tags.filter((tag) => article.tags.includes(tag)).length;
  return all
    .filter((other) => other.slug !== article.slug && shared(other) > 0)
    .sort((a, b) => shared(b) - shared(a) || b.publishedDate.localeCompare(a.publishedDate))
    .slice(0, MOST);
}

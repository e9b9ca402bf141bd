import { expect, it } from 'vitest';
import type { ArticleSummary } from '#contract/calls/content';
import { relatedArticles } from './article-view.tsx';

const article = (slug: string, publishedDate: string, ...tags: string[]): ArticleSummary => ({
  id: slug,
  slug,
  title: slug,
  excerpt: '',
  description: '',
  author: '',
  publishedDate,
  readingTime: '1 min',
  tags,
});

const subject = article('subject', '2026-06-01', 'receipts', 'tables');

it('relatedArticles: returns articles that share a tag, without the article itself', () => {
  const all = [subject, article('a', '2026-01-01', 'tables'), article('b', '2026-01-02', 'privacy')];
  expect(relatedArticles(subject, all).map(({ slug }) => slug)).toEqual(['a']);
});

it('relatedArticles: returns the three articles that share most tags, newest first', () => {
  const all = [
    article('old', '2026-01-01', 'tables'),
    article('new', '2026-03-01', 'tables'),
    article('both', '2025-01-01', 'tables', 'receipts'),
    article('newer', '2026-04-01', 'receipts'),
  ];
  expect(relatedArticles(subject, all).map(({ slug }) => slug)).toEqual(['both', 'newer', 'new']);
});

import type { Article } from '#contract/blog';
import { type MarkdownNode, parseMarkdown } from '../../ui/parse-markdown.ts';
import { splitArticle } from './split-article.ts';

/** An article with its text read, so that showing it needs no parser. */
export interface ReadableArticle extends Omit<Article, 'content'> {
  wordCount: number;
  /** Something stands between them; the second may be empty. */
  halves: readonly [MarkdownNode[], MarkdownNode[]];
}

/** The server shows the same articles to everybody. */
const readBefore = new WeakMap<Article, ReadableArticle>();

export function readableArticle(article: Article): ReadableArticle {
  const known = readBefore.get(article);
  if (known) return known;
  const { content, ...rest } = article;
  const [first, second] = splitArticle(content);
  const readable: ReadableArticle = {
    ...rest,
    wordCount: content.split(/\s+/).length,
    halves: [parseMarkdown(first), parseMarkdown(second)],
  };
  readBefore.set(article, readable);
  return readable;
}

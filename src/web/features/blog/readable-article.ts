import type { Article } from '#contract/calls/content';
import { type MarkdownNode, parseMarkdown } from '../../ui/markdown/parse-markdown.ts';

/** An article with its text read, so that showing it needs no parser. */
export interface ReadableArticle extends Omit<Article, 'content'> {
  wordCount: number;
  /** Something stands between them; the second may be empty. */
  halves: readonly [MarkdownNode[], MarkdownNode[]];
}

/** The server shows the same articles to all visitors. */
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

/** How far after the middle a place to split is looked for. Lines. */
const WINDOW = 10;

/**
 * Cuts an article near its middle, so that something can stand between the halves: at the first line after the midpoint
 * that begins a level-2 heading or is blank, at most `WINDOW` lines on. A blank line inside a fenced code block is no
 * place to cut, since both halves must be whole Markdown. Without a place the second half is empty.
 */
export function splitArticle(markdown: string): [first: string, second: string] {
  const lines = markdown.split('\n');
  const middle = Math.floor(lines.length / 2);
  const fenced = fencedLines(lines);
  for (let index = middle; index < Math.min(lines.length, middle + WINDOW + 1); index++) {
    const line = lines[index] ?? '';
    const isPlace = line.startsWith('## ') || line.trim() === '';
    if (isPlace && !fenced.has(index))
      return [lines.slice(0, index).join('\n'), lines.slice(index).join('\n')];
  }
  return [markdown, ''];
}

/** Numbers of the lines that lie inside a fenced code block. */
function fencedLines(lines: readonly string[]): Set<number> {
  const inside = new Set<number>();
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
    } else {
      inside.add(index);
      if (mark && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
    }
  }
  return inside;
}

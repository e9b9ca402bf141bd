import type { Article } from '#contract/calls/content';
import { type MarkdownNode, parseMarkdown } from '../../ui/markdown/parse-markdown.ts';

/** An article with parsed Markdown, so that rendering it needs no parser. */
export interface ParsedArticle extends Omit<Article, 'content'> {
  wordCount: number;
  /** The text before and after the sponsored slot. The second section may be empty. */
  sections: readonly [MarkdownNode[], MarkdownNode[]];
}

/** A cache, because the server renders the same articles for all visitors. */
const parsed = new WeakMap<Article, ParsedArticle>();

export function parseArticle(article: Article): ParsedArticle {
  const cached = parsed.get(article);
  if (cached) return cached;
  const { content, ...rest } = article;
  const [first, second] = splitArticle(content);
  const result: ParsedArticle = {
    ...rest,
    wordCount: content.split(/\s+/).length,
    sections: [parseMarkdown(first), parseMarkdown(second)],
  };
  parsed.set(article, result);
  return result;
}

/** Maximum distance of the split from the midpoint, in lines. */
const WINDOW = 10;

/**
 * Splits an article near its middle, for the sponsored slot: at the first line from the midpoint on that starts a level-2
 * heading or is blank, at most `WINDOW` lines after the midpoint. It does not split inside a fenced code block, because
 * both sections must be valid Markdown. Without such a line the second section is empty.
 */
export function splitArticle(markdown: string): [first: string, second: string] {
  const lines = markdown.split('\n');
  const middle = Math.floor(lines.length / 2);
  const fenced = fencedLines(lines);
  for (let index = middle; index < Math.min(lines.length, middle + WINDOW + 1); index++) {
    const line = lines[index] ?? '';
    const isSplit = line.startsWith('## ') || line.trim() === '';
    if (isSplit && !fenced.has(index))
      return [lines.slice(0, index).join('\n'), lines.slice(index).join('\n')];
  }
  return [markdown, ''];
}

/** The indices of lines inside fenced code blocks. */
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

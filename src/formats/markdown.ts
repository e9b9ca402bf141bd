import { toMarkdown } from 'mdast-util-to-markdown';
import { flowOf } from './transcript.ts';
import type { Material } from './writers.ts';

type Root = Extract<Parameters<typeof toMarkdown>[0], { type: 'root' }>;

/** The text's paragraphs and lines, with what Markdown would take for its own signs escaped; a rule between pages. */
export function writeMarkdown(pages: readonly Material[]): string {
  const root: Root = {
    type: 'root',
    children: pages.flatMap(({ transcript }, page) => [
      ...(page === 0 ? [] : [{ type: 'thematicBreak' as const }]),
      ...flowOf(transcript.text).map((lines) => ({
        type: 'paragraph' as const,
        children: lines.flatMap((line, index) => [
          ...(index === 0 ? [] : [{ type: 'break' as const }]),
          { type: 'text' as const, value: line.trimEnd() },
        ]),
      })),
    ]),
  };
  // Two of them strike out what is between them where tables and lists of tasks are known as well.
  return toMarkdown(root, { rule: '-', unsafe: [{ character: '~', inConstruct: 'phrasing' }] });
}

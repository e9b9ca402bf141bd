import { toMarkdown } from 'mdast-util-to-markdown';
import { flowOf } from './transcript.ts';
import type { Material } from './writers.ts';

/** The text's paragraphs and lines, with what Markdown would take for its own signs escaped. */
export function writeMarkdown({ transcript }: Material): string {
  const root: Parameters<typeof toMarkdown>[0] = {
    type: 'root',
    children: flowOf(transcript.text).map((lines) => ({
      type: 'paragraph',
      children: lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [{ type: 'break' as const }]),
        { type: 'text' as const, value: line.trimEnd() },
      ]),
    })),
  };
  // Two of them strike out what is between them where tables and lists of tasks are known as well.
  return toMarkdown(root, { unsafe: [{ character: '~', inConstruct: 'phrasing' }] });
}

import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { toMarkdown } from 'mdast-util-to-markdown';
import { firstOf } from './checked.ts';
import { type Block, blocksOf } from './structure.ts';
import type { Table } from './tables.ts';
import type { WriterInput } from './writer-input.ts';

type Root = Extract<Parameters<typeof toMarkdown>[0], { type: 'root' }>;
type Node = Root['children'][number];

/** The text's headings, lists, tables, paragraphs and lines, with Markdown's own characters escaped; a rule between pages. */
export function writeMarkdown(pages: readonly WriterInput[]): string {
  const root: Root = {
    type: 'root',
    children: pages.flatMap(({ positionedText, tables }, page) => [
      ...(page === 0 ? [] : [{ type: 'thematicBreak' as const }]),
      ...blocksOf(positionedText, tables).map(nodeOf),
    ]),
  };
  return written(root);
}

/** A single table, without the rest of the page. */
export const markdownOfTable = (table: Pick<Table, 'rows' | 'headerRows'>): string =>
  written({ type: 'root', children: [tableOf(table)] });

const written = (root: Root) =>
  toMarkdown(root, {
    rule: '-',
    bullet: '-',
    extensions: [gfmTableToMarkdown()],
    // GitHub Flavored Markdown strikes out text between two tildes.
    unsafe: [{ character: '~', inConstruct: 'phrasing' }],
  });

function nodeOf(block: Block): Node {
  switch (block.kind) {
    case 'heading':
      return { type: 'heading', depth: block.level, children: textOf(block.text) };
    case 'paragraph':
      return {
        type: 'paragraph',
        children: block.lines.flatMap((line, index) => [
          ...(index === 0 ? [] : [{ type: 'break' as const }]),
          ...textOf(line),
        ]),
      };
    case 'list':
      return {
        type: 'list',
        ordered: block.start !== null,
        start: block.start,
        spread: false,
        children: block.items.map((item) => ({
          type: 'listItem',
          spread: false,
          children: [{ type: 'paragraph', children: textOf(item) }],
        })),
      };
    case 'table':
      return tableOf(block.table);
  }
}

const tableOf = ({ rows, headerRows }: Pick<Table, 'rows' | 'headerRows'>): Node => ({
  type: 'table',
  // Markdown has no tables without a header row.
  children: [...(headerRows > 0 ? [] : [firstOf(rows).map(() => '')]), ...rows].map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: textOf(cell.replaceAll('\n', ' ')) })),
  })),
});

const textOf = (value: string) => (value === '' ? [] : [{ type: 'text' as const, value }]);

import {
  AlignmentType,
  Document,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { BRAND } from '#contract/product';
import { withoutUnspeakable } from './markup.ts';
import type { Material } from './material.ts';
import { type Block, blocksOf } from './structure.ts';
import { runsLeftwards, type Transcript } from './transcript.ts';

const LEVELS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;
/** Twentieths of a point: how far items stand in, and what their marks have of it. */
const INSET = { left: 720, hanging: 360 };
/** Fiftieths of a percent. */
const WHOLE_WIDTH = 5000;

/** The text's headings, lists, tables and paragraphs for a word processor; the lines of each as they stand, one below the other. */
export async function writeDocx(pages: readonly Material[]): Promise<Uint8Array> {
  const { picture, languages } = pages[0]!.transcript;
  const blocks = pages.map(({ transcript, tables }) => blocksOf(transcript, tables));
  const lists = blocks.flat().filter((block) => block.kind === 'list');
  const document = new Document({
    title: withoutUnspeakable(picture.name),
    creator: BRAND.name,
    styles: { default: { document: { run: { ...languageOf(languages), size: 22 } } } },
    // Each list of its own, or the second would go on counting where the first one ended.
    numbering: {
      config: lists.map((list, index) => ({ reference: `list ${index}`, levels: [levelOf(list)] })),
    },
    sections: [
      {
        children: blocks.flatMap((own, page) => {
          const opens = page > 0;
          // A page without text is one all the same, or those behind it would move up. A table cannot begin a page itself.
          const opening = own.length === 0 || (opens && own[0]?.kind === 'table');
          return [
            ...(opening ? [new Paragraph({ pageBreakBefore: opens })] : []),
            ...own.flatMap((block, at) => written(block, lists, opens && at === 0 && !opening)),
          ];
        }),
      },
    ],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}

type List = Extract<Block, { kind: 'list' }>;

const levelOf = ({ start }: List) => ({
  level: 0,
  format: start === null ? LevelFormat.BULLET : LevelFormat.DECIMAL,
  text: start === null ? '•' : '%1.',
  start: start ?? 1,
  alignment: AlignmentType.START,
  style: { paragraph: { indent: INSET } },
});

function written(block: Block, lists: readonly List[], opensPage: boolean): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [paragraphOf([block.text], { heading: LEVELS[block.level], pageBreakBefore: opensPage })];
    case 'paragraph':
      return [paragraphOf(block.lines, { spacing: { after: 160 }, pageBreakBefore: opensPage })];
    case 'list':
      return block.items.map((item, at) =>
        paragraphOf([item], {
          numbering: { reference: `list ${lists.indexOf(block)}`, level: 0 },
          pageBreakBefore: opensPage && at === 0,
        }),
      );
    case 'table':
      // Two tables that touch would be one.
      return [tableOf(block.table.rows, block.table.headerRows), new Paragraph({})];
  }
}

function tableOf(rows: readonly (readonly string[])[], headerRows: number): Table {
  return new Table({
    width: { size: WHOLE_WIDTH, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: runsLeftwards(rows.flat().join(' ')),
    rows: rows.map(
      (row, y) =>
        new TableRow({
          tableHeader: y < headerRows,
          children: row.map((text) => new TableCell({ children: [paragraphOf([text], {}, y < headerRows)] })),
        }),
    ),
  });
}

type ParagraphLook = Pick<
  Exclude<ConstructorParameters<typeof Paragraph>[0], string>,
  'heading' | 'numbering' | 'pageBreakBefore' | 'spacing'
>;

function paragraphOf(lines: readonly string[], look: ParagraphLook, bold = false): Paragraph {
  const leftwards = runsLeftwards(lines.join(' '));
  return new Paragraph({
    ...look,
    bidirectional: leftwards,
    children: lines.map(
      (line, index) =>
        new TextRun({
          text: withoutUnspeakable(line),
          rightToLeft: leftwards,
          ...(bold && { bold }),
          ...(index > 0 && { break: 1 }),
        }),
    ),
  });
}

function languageOf([tag = 'en']: Transcript['languages']) {
  return { language: { value: tag, eastAsia: tag, bidirectional: tag } };
}

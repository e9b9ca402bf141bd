import {
  AlignmentType,
  BuilderElement,
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
  type XmlComponent,
} from 'docx';
import { BRAND } from '#contract/product';
import { firstOf, itemAt } from './checked.ts';
import { placesOf } from './html.ts';
import { withoutInvalidXmlCharacters } from './markup.ts';
import type { Material } from './material.ts';
import { type RubyInText, rubyIn, rubyParts } from './ruby.ts';
import { type Block, blocksOf } from './structure.ts';
import type { Table as FoundTable } from './tables.ts';
import { runsLeftwards, type Transcript } from './transcript.ts';
import { toUpright } from './upright.ts';

const LEVELS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;
/** Word uses Times by default. Other scripts keep Word's font for them. */
const FONT = { ascii: 'Calibri', hAnsi: 'Calibri' };
/** Half points. */
const FONT_SIZE = 22;
/** Twentieths of a point: indentation of list items, and the part of it for their marks. */
const INSET = { left: 720, hanging: 360 };
/** Twentieths of a point: between the margins of an A4 page. */
const TEXT_WIDTH = 9026;
/** Least width of a column, as a share of the table: in a narrower one letters would wrap one by one. */
const NARROWEST = 0.05;

/** The text's headings, lists, tables and paragraphs for a word processor, with the line breaks of each. */
export async function writeDocx(pages: readonly Material[]): Promise<Uint8Array> {
  const { picture, languages } = firstOf(pages).transcript;
  const blocks = pages.map(({ transcript, tables }) => blocksOf(transcript, tables));
  const lists = blocks.flat().filter((block) => block.kind === 'list');
  const document = new Document({
    title: withoutInvalidXmlCharacters(picture.name),
    creator: BRAND.name,
    styles: { default: { document: { run: { ...languageOf(languages), font: FONT, size: FONT_SIZE } } } },
    // One numbering per list, or the second list would continue the first one's numbers.
    numbering: {
      config: lists.map((list, index) => ({ reference: `list ${index}`, levels: [levelOf(list)] })),
    },
    sections: [
      {
        children: blocks.flatMap((own, page) => {
          const opens = page > 0;
          // A page without text keeps its page, or those after it would move up. A table cannot start a page itself.
          const opening = own.length === 0 || (opens && own[0]?.kind === 'table');
          return [
            ...(opening ? [new Paragraph({ pageBreakBefore: opens })] : []),
            ...own.flatMap((block, at) =>
              block.kind === 'table'
                ? // Word merges adjacent tables.
                  [tableOf(block.table, itemAt(pages, page).transcript), new Paragraph({})]
                : written(
                    block,
                    lists,
                    rubyIn(itemAt(pages, page).transcript),
                    opens && at === 0 && !opening,
                  ),
            ),
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

function written(
  block: Exclude<Block, { kind: 'table' }>,
  lists: readonly List[],
  known: RubyInText,
  opensPage: boolean,
): Paragraph[] {
  switch (block.kind) {
    case 'heading':
      return [paragraphOf([block.text], { heading: LEVELS[block.level], pageBreakBefore: opensPage }, known)];
    case 'paragraph':
      return [paragraphOf(block.lines, { spacing: { after: 160 }, pageBreakBefore: opensPage }, known)];
    case 'list':
      return block.items.map((item, at) =>
        paragraphOf(
          [item],
          {
            numbering: { reference: `list ${lists.indexOf(block)}`, level: 0 },
            pageBreakBefore: opensPage && at === 0,
          },
          known,
        ),
      );
  }
}

function tableOf(table: FoundTable, transcript: Transcript): Table {
  const { picture } = transcript;
  const known = rubyIn(transcript);
  return new Table({
    width: { size: TEXT_WIDTH, type: WidthType.DXA },
    columnWidths: columnWidths(table, picture),
    visuallyRightToLeft: runsLeftwards(table.rows.flat().join(' ')),
    rows: placesOf(table).map((places, y) => {
      const isHead = y < table.headerRows;
      return new TableRow({
        tableHeader: isHead,
        children: places.map(
          ({ text, rowSpan, columnSpan }) =>
            new TableCell({ rowSpan, columnSpan, children: [paragraphOf([text], {}, known, isHead)] }),
        ),
      });
    }),
  });
}

/** Column widths as on the page; by its longest text where no cell has a width, as in an added column. */
function columnWidths({ rows, cells }: FoundTable, picture: Transcript['picture']): number[] {
  const columns = rows[0] ?? [];
  const seen = columns.map((_, column) => {
    const own = cells.filter((cell) => cell.column === column && cell.columnSpan === 1);
    return Math.max(0, ...own.map(({ box }) => toUpright(box, picture).width));
  });
  const letters = columns.map((_, column) => Math.max(1, ...rows.map((row) => row[column]?.length ?? 0)));
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const perLetter = sum(seen) / sum(letters.filter((_, column) => itemAt(seen, column) > 0)) || 1;
  const widths = seen.map((width, column) => width || itemAt(letters, column) * perLetter);
  const narrowest = Math.min(NARROWEST, 1 / widths.length) * sum(widths);
  const wide = widths.map((width) => Math.max(width, narrowest));
  return wide.map((width) => Math.round((TEXT_WIDTH * width) / sum(wide)));
}

type ParagraphLook = Pick<
  Exclude<ConstructorParameters<typeof Paragraph>[0], string>,
  'heading' | 'numbering' | 'pageBreakBefore' | 'spacing'
>;

function paragraphOf(
  lines: readonly string[],
  look: ParagraphLook,
  known: RubyInText,
  bold = false,
): Paragraph {
  const rightToLeft = runsLeftwards(lines.join(' '));
  return new Paragraph({
    ...look,
    bidirectional: rightToLeft,
    children: lines.flatMap((line, index) => {
      const starts = index > 0 && { break: 1 };
      const parts = rubyParts(withoutInvalidXmlCharacters(line), known);
      if (parts.length === 0) return [new TextRun({ ...starts })];
      return parts.map(({ text, ruby }, part) =>
        ruby === undefined
          ? new TextRun({ text, rightToLeft, ...(bold && { bold }), ...(part === 0 && starts) })
          : rubyRun(text, ruby, { bold, ...(part === 0 && starts) }),
      );
    }),
  });
}

/** Half points: the size of ruby, and its distance from the line. */
const RUBY = { size: 11, raise: 20 } as const;

/** A text with its ruby above it; the library has no class for it. */
function rubyRun(text: string, ruby: string, look: { bold: boolean; break?: number }): TextRun {
  const element = (name: string, children: XmlComponent[]) => new BuilderElement({ name, children });
  const value = (name: string, val: string | number) =>
    new BuilderElement({ name, attributes: { val: { key: 'w:val', value: val } } });
  const run = new TextRun(look);
  run.addChildElement(
    element('w:ruby', [
      element('w:rubyPr', [
        value('w:rubyAlign', 'distributeSpace'),
        value('w:hps', RUBY.size),
        value('w:hpsRaise', RUBY.raise),
        value('w:hpsBaseText', FONT_SIZE),
        value('w:lid', 'ja-JP'),
      ]),
      element('w:rt', [new TextRun({ text: ruby, size: RUBY.size })]),
      element('w:rubyBase', [new TextRun({ text, bold: look.bold })]),
    ]),
  );
  return run;
}

function languageOf([tag = 'en']: Transcript['languages']) {
  return { language: { value: tag, eastAsia: tag, bidirectional: tag } };
}

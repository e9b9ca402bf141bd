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
import { gridOf } from './html.ts';
import { withoutInvalidXmlCharacters } from './markup.ts';
import { isRightToLeft, type PositionedText } from './positioned-text.ts';
import { type RubyInText, rubyIn, rubyParts } from './ruby.ts';
import { type Block, blocksOf } from './structure.ts';
import type { Table as FoundTable } from './tables.ts';
import { toUpright } from './upright.ts';
import type { WriterInput } from './writer-input.ts';

const LEVELS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;
/** Word uses Times by default. Other scripts keep Word's font for them. */
const FONT = { ascii: 'Calibri', hAnsi: 'Calibri' };
/** Half points. */
const FONT_SIZE = 22;
/** Twentieths of a point: indentation of list items, and the part of it for the bullet or number. */
const INSET = { left: 720, hanging: 360 };
/** Twentieths of a point: between the margins of an A4 page. */
const TEXT_WIDTH = 9026;
/** Minimum column width, as a fraction of the table: in a narrower column, text would wrap after every letter. */
const MIN_COLUMN_SHARE = 0.05;

/** The text's headings, lists, tables and paragraphs for a word processor, with the line breaks of each. */
export async function writeDocx(pages: readonly WriterInput[]): Promise<Uint8Array> {
  const { picture, languages } = firstOf(pages).positionedText;
  const blocks = pages.map(({ positionedText, tables }) => blocksOf(positionedText, tables));
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
          const isNewPage = page > 0;
          // A page without text stays an empty page, or the next pages would move up. A table cannot have a page break before it.
          const needsEmptyParagraph = own.length === 0 || (isNewPage && own[0]?.kind === 'table');
          return [
            ...(needsEmptyParagraph ? [new Paragraph({ pageBreakBefore: isNewPage })] : []),
            ...own.flatMap((block, at) =>
              block.kind === 'table'
                ? // Word merges adjacent tables.
                  [tableOf(block.table, itemAt(pages, page).positionedText), new Paragraph({})]
                : written(
                    block,
                    lists,
                    rubyIn(itemAt(pages, page).positionedText),
                    isNewPage && at === 0 && !needsEmptyParagraph,
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
  rubyInText: RubyInText,
  opensPage: boolean,
): Paragraph[] {
  switch (block.kind) {
    case 'heading':
      return [
        paragraphOf([block.text], { heading: LEVELS[block.level], pageBreakBefore: opensPage }, rubyInText),
      ];
    case 'paragraph':
      return [paragraphOf(block.lines, { spacing: { after: 160 }, pageBreakBefore: opensPage }, rubyInText)];
    case 'list':
      return block.items.map((item, at) =>
        paragraphOf(
          [item],
          {
            numbering: { reference: `list ${lists.indexOf(block)}`, level: 0 },
            pageBreakBefore: opensPage && at === 0,
          },
          rubyInText,
        ),
      );
  }
}

function tableOf(table: FoundTable, positionedText: PositionedText): Table {
  const { picture } = positionedText;
  const rubyInText = rubyIn(positionedText);
  return new Table({
    width: { size: TEXT_WIDTH, type: WidthType.DXA },
    columnWidths: columnWidths(table, picture),
    visuallyRightToLeft: isRightToLeft(table.rows.flat().join(' ')),
    rows: gridOf(table).map((places, y) => {
      const isHead = y < table.headerRows;
      return new TableRow({
        tableHeader: isHead,
        children: places.map(
          ({ text, rowSpan, columnSpan }) =>
            new TableCell({ rowSpan, columnSpan, children: [paragraphOf([text], {}, rubyInText, isHead)] }),
        ),
      });
    }),
  });
}

/** Column widths as on the page. A column without a measured cell, such as an added one, is as wide as its longest text. */
function columnWidths({ rows, cells }: FoundTable, picture: PositionedText['picture']): number[] {
  const columns = rows[0] ?? [];
  const measured = columns.map((_, column) => {
    const own = cells.filter((cell) => cell.column === column && cell.columnSpan === 1);
    return Math.max(0, ...own.map(({ box }) => toUpright(box, picture).width));
  });
  const textLengths = columns.map((_, column) => Math.max(1, ...rows.map((row) => row[column]?.length ?? 0)));
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const widthPerLetter =
    sum(measured) / sum(textLengths.filter((_, column) => itemAt(measured, column) > 0)) || 1;
  const widths = measured.map((width, column) => width || itemAt(textLengths, column) * widthPerLetter);
  const narrowest = Math.min(MIN_COLUMN_SHARE, 1 / widths.length) * sum(widths);
  const wide = widths.map((width) => Math.max(width, narrowest));
  return wide.map((width) => Math.round((TEXT_WIDTH * width) / sum(wide)));
}

type ParagraphOptions = Pick<
  Exclude<ConstructorParameters<typeof Paragraph>[0], string>,
  'heading' | 'numbering' | 'pageBreakBefore' | 'spacing'
>;

function paragraphOf(
  lines: readonly string[],
  options: ParagraphOptions,
  rubyInText: RubyInText,
  bold = false,
): Paragraph {
  const rightToLeft = isRightToLeft(lines.join(' '));
  return new Paragraph({
    ...options,
    bidirectional: rightToLeft,
    children: lines.flatMap((line, index) => {
      const starts = index > 0 && { break: 1 };
      const parts = rubyParts(withoutInvalidXmlCharacters(line), rubyInText);
      if (parts.length === 0) return [new TextRun({ ...starts })];
      return parts.map(({ text, ruby }, part) =>
        ruby === undefined
          ? new TextRun({ text, rightToLeft, ...(bold && { bold }), ...(part === 0 && starts) })
          : rubyRun(text, ruby, { bold, ...(part === 0 && starts) }),
      );
    }),
  });
}

/** Half points: font size of ruby, and its height above the baseline. */
const RUBY = { size: 11, raise: 20 } as const;

/** A run with ruby above it, built from elements, because the library has no class for ruby. */
function rubyRun(text: string, ruby: string, options: { bold: boolean; break?: number }): TextRun {
  const element = (name: string, children: XmlComponent[]) => new BuilderElement({ name, children });
  const value = (name: string, val: string | number) =>
    new BuilderElement({ name, attributes: { val: { key: 'w:val', value: val } } });
  const run = new TextRun(options);
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
      element('w:rubyBase', [new TextRun({ text, bold: options.bold })]),
    ]),
  );
  return run;
}

function languageOf([tag = 'en']: PositionedText['languages']) {
  return { language: { value: tag, eastAsia: tag, bidirectional: tag } };
}

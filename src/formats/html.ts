import { escapeFormula, escapeFormulas, withoutInvalidXmlCharacters, xml } from './markup.ts';
import { isRightToLeft } from './positioned-text.ts';
import { type RubyInText, type RubyPart, rubyParts } from './ruby.ts';
import type { Block } from './structure.ts';
import type { Table, TableCell } from './tables.ts';
import { decimalsOf, numberFormat } from './tables.ts';

/** Blocks as an HTML fragment for the clipboard. All text is escaped between constant tags, so it needs no sanitizing. */
export const htmlOf = (blocks: readonly Block[], ruby: RubyInText): string =>
  blocks.map((block) => blockOf(block, ruby)).join('\n');

/** A text whose spaces and line breaks are significant. */
export const preformattedHtml = (text: string): string => element('pre', text, xml(text));

function blockOf(block: Block, rubyInText: RubyInText): string {
  const written = (text: string) => rubyParts(text, rubyInText).map(partOf).join('');
  switch (block.kind) {
    case 'heading':
      return element(`h${block.level}`, block.text, written(block.text));
    case 'paragraph':
      return element('p', block.lines.join(' '), block.lines.map(written).join('<br>'));
    case 'list': {
      const items = block.items.map((item) => element('li', item, written(item))).join('');
      const first = block.start === null || block.start === 1 ? '' : ` start="${block.start}"`;
      return block.start === null ? `<ul>${items}</ul>` : `<ol${first}>${items}</ol>`;
    }
    case 'table':
      return tableHtml(block.table, false);
  }
}

/** Programs without support for ruby show it in brackets. */
const partOf = ({ text, ruby }: RubyPart): string =>
  ruby === undefined ? xml(text) : `<ruby>${xml(text)}<rp>（</rp><rt>${xml(ruby)}</rt><rp>）</rp></ruby>`;

const element = (name: string, text: string, content: string) =>
  `<${name}${isRightToLeft(text) ? ' dir="rtl"' : ''}>${content}</${name}>`;

/**
 * A table in the form that spreadsheets and word processors paste. A text that a spreadsheet would evaluate starts with an
 * apostrophe, as in a CSV: pasted cells are evaluated as typed ones are. Texts and numbers have their formats, or 007 would
 * become 7 and 1-2 a date.
 *
 * @param styled whether to add the styles that mark number formats for Excel; false where the Content Security Policy forbids styles
 */
export function tableHtml(table: Table, styled = true): string {
  const written = gridOf(table).map((places, y) => {
    const name = y < table.headerRows ? 'th' : 'td';
    const cells = places.map(({ text, rowSpan, columnSpan }) => {
      const spans = `${rowSpan > 1 ? ` rowspan="${rowSpan}"` : ''}${columnSpan > 1 ? ` colspan="${columnSpan}"` : ''}`;
      const shown = escapeFormula(text);
      return `<${name}${spans}${formatOf(shown, styled)}>${xml(shown)}</${name}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const direction = isRightToLeft(table.rows.flat().join(' ')) ? ' dir="rtl"' : '';
  return `<table${direction} border="1"><tbody>${written.join('')}</tbody></table>`;
}

/** A cell's format, in the forms that Excel, LibreOffice and Google Sheets accept. */
function formatOf(text: string, styled: boolean): string {
  if (text === '') return '';
  const decimals = decimalsOf(text);
  const format = decimals === null ? '@' : numberFormat(decimals);
  const style = styled ? ` style="mso-number-format:'${format.replace(/[.@]/, '\\$&')}'"` : '';
  // With the English decimal point (1033), whatever LibreOffice's locale.
  const rubyInText = `${style} sdnum="1033;0;${format}"`;
  if (decimals !== null) return `${rubyInText} sdval="${text}"`;
  return `${rubyInText} data-sheets-value="${xml(JSON.stringify({ 1: 2, 2: withoutInvalidXmlCharacters(text) }))}"`;
}

/** A cell of the grid; an empty one spans one row and one column. */
export type GridCell = Pick<TableCell, 'text' | 'row' | 'column' | 'rowSpan' | 'columnSpan'>;

/** A table's rows, without the positions that a spanning cell covers. */
export function gridOf({ rows, cells }: Table): GridCell[][] {
  const own = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
  const covered = new Set<string>();
  for (const { row, column, rowSpan, columnSpan } of cells) {
    for (let y = row; y < row + rowSpan; y += 1) {
      for (let x = column; x < column + columnSpan; x += 1) {
        if (y !== row || x !== column) covered.add(`${y} ${x}`);
      }
    }
  }
  return rows.map((texts, row) =>
    texts.flatMap((text, column) => {
      if (covered.has(`${row} ${column}`)) return [];
      const { rowSpan = 1, columnSpan = 1 } = own.get(`${row} ${column}`) ?? {};
      return [{ text, row, column, rowSpan, columnSpan }];
    }),
  );
}

/** A table as text: a line for each row, cells separated by tabs. Tabs and line breaks in a cell become spaces. */
export const tableTsv = ({ rows }: Pick<Table, 'rows'>): string =>
  rows
    .map((row) =>
      row
        .map((text) => escapeFormulas(withoutInvalidXmlCharacters(text).replaceAll(/[\t\r\n]+/g, ' ')))
        .join('\t'),
    )
    .join('\n');

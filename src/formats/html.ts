import { escapeFormula, escapeFormulas, withoutInvalidXmlCharacters, xml } from './markup.ts';
import { type RubyInText, type RubyPart, rubyParts } from './ruby.ts';
import type { Block } from './structure.ts';
import type { Table, TableCell } from './tables.ts';
import { decimalsOf, numberFormat } from './tables.ts';
import { runsLeftwards } from './transcript.ts';

/** Blocks as a piece of HTML for the clipboard. It holds only text between tags of our own, so nothing needs sanitizing. */
export const htmlOf = (blocks: readonly Block[], ruby: RubyInText): string =>
  blocks.map((block) => blockOf(block, ruby)).join('\n');

/** A text whose spaces and line breaks are significant. */
export const preformattedHtml = (text: string): string => element('pre', text, xml(text));

function blockOf(block: Block, known: RubyInText): string {
  const written = (text: string) => rubyParts(text, known).map(partOf).join('');
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

/** Readers without ruby show it in brackets. */
const partOf = ({ text, ruby }: RubyPart): string =>
  ruby === undefined ? xml(text) : `<ruby>${xml(text)}<rp>（</rp><rt>${xml(ruby)}</rt><rp>）</rp></ruby>`;

const element = (name: string, text: string, content: string) =>
  `<${name}${runsLeftwards(text) ? ' dir="rtl"' : ''}>${content}</${name}>`;

/**
 * A table in the form that spreadsheets and word processors paste. A text that a spreadsheet would evaluate starts with an
 * apostrophe, as in a CSV: pasted cells are evaluated as typed ones are. Texts and numbers have their formats, or 007 would
 * become 7 and 1-2 a date.
 *
 * @param styled with the style that marks formats for Excel; false where a content policy forbids styles
 */
export function tableHtml(table: Table, styled = true): string {
  const written = placesOf(table).map((places, y) => {
    const name = y < table.headerRows ? 'th' : 'td';
    const cells = places.map(({ text, rowSpan, columnSpan }) => {
      const over = `${rowSpan > 1 ? ` rowspan="${rowSpan}"` : ''}${columnSpan > 1 ? ` colspan="${columnSpan}"` : ''}`;
      const shown = escapeFormula(text);
      return `<${name}${over}${formatOf(shown, styled)}>${xml(shown)}</${name}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const direction = runsLeftwards(table.rows.flat().join(' ')) ? ' dir="rtl"' : '';
  return `<table${direction} border="1"><tbody>${written.join('')}</tbody></table>`;
}

/** A cell's format, in the forms that Excel, LibreOffice and Google Sheets accept. */
function formatOf(text: string, styled: boolean): string {
  if (text === '') return '';
  const decimals = decimalsOf(text);
  const format = decimals === null ? '@' : numberFormat(decimals);
  const style = styled ? ` style="mso-number-format:'${format.replace(/[.@]/, '\\$&')}'"` : '';
  // With the English decimal point (1033), whatever LibreOffice's locale.
  const known = `${style} sdnum="1033;0;${format}"`;
  if (decimals !== null) return `${known} sdval="${text}"`;
  return `${known} data-sheets-value="${xml(JSON.stringify({ 1: 2, 2: withoutInvalidXmlCharacters(text) }))}"`;
}

/** A cell, or an empty place for one. */
export type Place = Pick<TableCell, 'text' | 'row' | 'column' | 'rowSpan' | 'columnSpan'>;

/** A table's rows without the places that a cell of another row or column covers. */
export function placesOf({ rows, cells }: Table): Place[][] {
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

import { describe, expect, it } from 'vitest';
import { extractionOf, positionedTextFrom, recordedExtraction } from '../../tests/support/extractions.ts';
import { htmlOf, preformattedHtml, tableHtml, tableTsv } from './html.ts';
import { mapText, piecesOf } from './pieces.ts';
import { rubyIn } from './ruby.ts';
import { blocksOf } from './structure.ts';
import { findTables, type Table } from './tables.ts';

function htmlOfPage(extraction: Parameters<typeof positionedTextFrom>[0], text?: string) {
  const positionedText = positionedTextFrom(
    extraction,
    text === undefined ? undefined : mapText(text, piecesOf(extraction)),
  );
  return htmlOf(blocksOf(positionedText, findTables(positionedText)), rubyIn(positionedText));
}

const tableOf = (rows: string[][], overrides: Partial<Table> = {}): Table => ({
  rows,
  cells: [],
  headerRows: 0,
  box: { x: 0, y: 0, width: 1, height: 1 },
  confidence: 90,
  ...overrides,
});

/** The HTML of a text cell, with the attributes for each spreadsheet. */
const textCell = (shown: string, text = shown, name = 'td', spans = '') =>
  `<${name}${spans} style="mso-number-format:'\\@'" sdnum="1033;0;@" data-sheets-value="{&quot;1&quot;:2,&quot;2&quot;:&quot;${text}&quot;}">${shown}</${name}>`;

/** The HTML of a number cell, with the attributes for each spreadsheet. */
const numberCell = (number: string, format: string) =>
  `<td style="mso-number-format:'${format.replace('.', '\\.')}'" sdnum="1033;0;${format}" sdval="${number}">${number}</td>`;

const unstyled = (html: string) => html.replaceAll(/ style="[^"]*"/g, '');

describe('htmlOf', () => {
  it('has ruby above its text, and in brackets for readers without ruby', () => {
    const extraction = extractionOf('jpn', [[['猫（ねこ）と犬（いぬ）', 20, 300]]]);
    extraction.lines[0]!.words[0]!.ruby = [{ text: 'ねこ', confidence: 90, from: 0, to: 1 }];
    expect(htmlOfPage(extraction)).toBe(
      '<p><ruby>猫<rp>（</rp><rt>ねこ</rt><rp>）</rp></ruby>と犬（いぬ）</p>',
    );
  });

  it('has elements for headings, lists and tables', () => {
    const html = htmlOfPage(recordedExtraction('order'));
    // The page's Content Security Policy forbids inline styles in the document that parses this HTML.
    expect(html).not.toContain('style=');
    expect(html).toContain('<h1>Order for the kitchen</h1>');
    expect(html).toContain('back door,<br>the front one');
    expect(html).toContain(
      unstyled(`<tr>${textCell('Sugar')}<td></td>${numberCell('0.95', '0.00')}${textCell('cane')}</tr>`),
    );
    expect(html).toContain(unstyled(textCell('Article', 'Article', 'th')));
    expect(html).toContain('<h2>Bring along</h2>\n<ul><li>two crates of bottles</li>');
  });

  it('contains nothing executable, whatever the text is', () => {
    const hostile = '<img src=x onerror=alert(1)> & "quoted" <script>\n\n- </li><b>\n- \u0000x';
    const html = htmlOfPage(recordedExtraction('note'), hostile);
    expect(html).not.toMatch(/<(?!\/?(?:p|br|ul|li)>)/);
    expect(html).not.toContain('\u0000');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;');
    expect(preformattedHtml('a  <b>\n  c')).toBe('<pre>a  &lt;b&gt;\n  c</pre>');
  });

  it('has the direction of a right-to-left text', () => {
    expect(htmlOfPage(extractionOf('ara', [[['خبز', 700, 80]]]))).toBe('<p dir="rtl">خبز</p>');
  });
});

describe('tableHtml: a copied table', () => {
  it('has its rows as HTML and as tab-separated text, with empty cells', () => {
    const table = tableOf([
      ['a <b>', ''],
      ['', 'two\nlines\tand a tab'],
    ]);
    expect(tableHtml(table)).toBe(
      `<table border="1"><tbody><tr>${textCell('a &lt;b&gt;')}<td></td></tr><tr><td></td>${textCell('two\nlines\tand a tab', 'two\\nlines\\tand a tab')}</tr></tbody></table>`,
    );
    expect(tableTsv(table)).toBe('a <b>\t\n\ttwo lines and a tab');
  });

  it('has one cell with a colspan for a cell over several columns', () => {
    const box = { x: 0, y: 0, width: 1, height: 1 };
    const cell = { text: 'both', row: 0, column: 0, rowSpan: 1, columnSpan: 2, box, words: [] };
    const html = tableHtml(
      tableOf(
        [
          ['both', ''],
          ['1', '2'],
        ],
        { cells: [cell], headerRows: 1 },
      ),
    );
    expect(html).toContain(
      `<tr>${textCell('both', 'both', 'th', ' colspan="2"')}</tr><tr>${numberCell('1', '0')}${numberCell('2', '0')}</tr>`,
    );
  });

  it('escapes formulas, and leaves amounts and telephone numbers unchanged', () => {
    const table = tableOf([['=1+1', '@sum', '-5.00', '+49 30 123-4']]);
    expect(tableTsv(table)).toBe("'=1+1\t'@sum\t-5.00\t+49 30 123-4");
    expect(tableHtml(table)).toContain(
      `${textCell("'=1+1")}${textCell("'@sum")}${numberCell('-5.00', '0.00')}${textCell('+49 30 123-4')}`,
    );
  });

  it('keeps texts that look like numbers or dates, and marks numbers as such', () => {
    const texts = ['006511', '387266638351326000', '1-2', '1/2', '3E5', '1.234', '12%', 'TRUE'];
    expect(tableHtml(tableOf([texts]))).toContain(`<tr>${texts.map((text) => textCell(text)).join('')}</tr>`);
    expect(tableHtml(tableOf([['0', '-12.5', '387266638351326']]))).toContain(
      `<tr>${numberCell('0', '0')}${numberCell('-12.5', '0.0')}${numberCell('387266638351326', '0')}</tr>`,
    );
  });

  it('escapes text in attributes', () => {
    const html = tableHtml(tableOf([['"><img src=x onerror=alert(1)>\'\u0000']]));
    expect(html.match(/<[^>]*>/g)).toHaveLength(8);
    expect(html).not.toContain('\u0000');
  });
});

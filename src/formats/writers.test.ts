import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import rehypeRaw from 'rehype-raw';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { exportedJsonSchema } from '#contract/exported-json';
import type { Extraction } from '#contract/extraction';
import { FORMAT_IDS, type FormatId } from '#contract/formats';
import {
  extractionOf,
  positionedTextFrom,
  recordedExtraction,
  retyped,
} from '../../tests/support/extractions.ts';
import { holds } from '../../tests/support/properties.ts';
import { withoutInvalidXmlCharacters } from './markup.ts';
import type { MappedText } from './pieces.ts';
import { findTables, type Table } from './tables.ts';
import { fromUpright } from './upright.ts';
import { loadWriter } from './writers.ts';

async function written(id: FormatId, extraction: Extraction, edited?: MappedText, tables?: Table[]) {
  const positionedText = positionedTextFrom(extraction, edited);
  const write = await loadWriter(id);
  return write([{ positionedText, tables: tables ?? findTables(positionedText), picture: null }]);
}

async function textOf(...args: Parameters<typeof written>): Promise<string> {
  const content = await written(...args);
  if (typeof content !== 'string') throw new Error('no text');
  return content;
}

async function zipOf(...args: Parameters<typeof written>): Promise<Record<string, string>> {
  const content = await written(...args);
  if (typeof content === 'string') throw new Error('no bytes');
  return Object.fromEntries(
    Object.entries(unzipSync(content)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );
}

const note = recordedExtraction('note');
const corrected = retyped(note, 'dally', 'daily');
/** A text without any recognized word. */
const typed = (text: string): MappedText => ({ text, marks: [] });
const HOSTILE = '# <b>1 & 2</b> "x" *y* _z_ [a](b) `c` | d \\ ~~e~~ http://f.g\u0000\u000b';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  preserveOrder: false,
  isArray: (name) => ['div', 'p', 'span', 'TextBlock', 'TextLine', 'String'].includes(name),
});

it('loadWriter: returns a writer for every format', async () => {
  for (const id of FORMAT_IDS) expect(await loadWriter(id), id).toBeTypeOf('function');
});

describe('writeMarkdown', () => {
  const render = async (markdown: string) => {
    const processor = unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeRaw);
    const shown: string[] = [];
    const walk = (node: { type: string; tagName?: string; value?: string; children?: unknown[] }) => {
      if (node.type === 'text') shown.push(node.value ?? '');
      if (node.tagName === 'br') shown.push('⏎');
      // An address is shown unchanged, and may be a link.
      if (node.tagName && node.tagName !== 'br' && node.tagName !== 'a') shown.push(`<${node.tagName}>`);
      for (const child of node.children ?? []) walk(child as Parameters<typeof walk>[0]);
    };
    walk((await processor.run(processor.parse(markdown))) as Parameters<typeof walk>[0]);
    return shown.join('').replaceAll('\n', '');
  };

  it('has its headings, a list and a table with its empty cells', async () => {
    const markdown = await textOf('markdown', recordedExtraction('order'));
    expect(markdown).toMatch(/^# Order for the kitchen\n/);
    expect(markdown).toMatch(/\n\| Sugar +\| +\| 0\.95 +\| cane +\|\n/);
    expect(markdown).toContain('\n## Bring along\n\n- two crates of bottles\n- the receipt of last week\n');
  });

  it('renders as the recognized paragraphs and lines', async () => {
    expect(await render(await textOf('markdown', note, corrected))).toBe(
      '<p>Harbour Lane Bakery⏎Two loaves of rye bread⏎One jar of plum jam<p>Thank you for your visit⏎Open daily until seven',
    );
  });

  it.each([
    HOSTILE.slice(0, -2),
    '1. first\n- second\n+ third\n> fourth\n=====\n----\n    indented\n\tand with a tab',
    '| a | b |\n| - | - |\n<!-- c -->\n&amp; &copy; ![d](e)',
    'Total: $4 * 3 = $12 * 1_000_000',
  ])('renders %j unchanged', async (text) => {
    const shown = text
      .split('\n')
      .map((line) => line.trim())
      .join('⏎');
    const rendered = await render(await textOf('markdown', note, typed(text)));
    expect(rendered.replaceAll(/⏎\s+/g, '⏎')).toBe(`<p>${shown}`);
  });
});

describe('writeJson', () => {
  it('has the documented shape', async () => {
    for (const name of ['note', 'table', 'turned', 'slanted', 'columns'] as const) {
      const content = JSON.parse(await textOf('json', recordedExtraction(name)));
      expect(exportedJsonSchema.strict().parse(content), name).toEqual(content);
    }
  });

  it('holds tables with their cells, headings, lists and fields of the current text', async () => {
    const stock = structuredClone(recordedExtraction('table'));
    const { layout, lines } = stock;
    const line = (text: string) => lines.findIndex((each) => each.text.startsWith(text));
    const box = lines[0]!.box;
    layout!.headings = [{ level: 1, lines: { from: 0, to: 1 }, box, confidence: 80 }];
    layout!.fields = [
      {
        label: [{ line: line('Counted'), from: 0, to: 3 }],
        value: [{ line: line('Counted'), from: 3, to: 5 }],
        box,
        confidence: 80,
      },
    ];
    layout!.indents = [{ line: 0, steps: 2 }];
    const content = exportedJsonSchema.parse(
      JSON.parse(await textOf('json', stock, retyped(stock, 'Counted', 'Checked'))),
    );
    expect(content.headings).toMatchObject([{ text: 'Stock of the workshop in November', level: 1 }]);
    expect(content.fields).toMatchObject([{ label: 'Checked by hand', value: '& checked' }]);
    expect(content.paragraphs[0]?.lines[0]?.indent).toBe(2);
    expect(content.tables[0]).toMatchObject({ headerRows: 1 });
    expect(content.tables[0]?.cells[4]).toMatchObject({ row: 1, column: 0, text: 'Brass hinge' });
  });

  it("holds the recognized text, the user's edits, and added text without a place", async () => {
    const { text, paragraphs } = exportedJsonSchema.parse(JSON.parse(await textOf('json', note, corrected)));
    const words = paragraphs.flatMap(({ lines }) => lines.flatMap((line) => line.words));
    expect(text).toBe(corrected.text);
    expect(words.find((word) => word.text === 'daily')).toMatchObject({ confidence: null, read: 'dally' });
    const doubted = structuredClone(note);
    const [first, second] = doubted.lines[0]!.words;
    first!.readings = ['Harbor'];
    const left = exportedJsonSchema.parse(JSON.parse(await textOf('json', doubted)));
    expect(left.paragraphs[0]?.lines[0]?.words[0]).toMatchObject({ text: first!.text, readings: ['Harbor'] });
    expect(left.paragraphs[0]?.lines[0]?.words[1]).toEqual({ ...second, readings: undefined });
    const retyped = JSON.parse(await textOf('json', doubted, typed('Harbor')));
    expect(JSON.stringify(retyped), 'the user typed the word').not.toContain('readings');
    const added = exportedJsonSchema.parse(JSON.parse(await textOf('json', note, typed('added'))));
    expect(added.paragraphs[0]?.lines[0]).toEqual({
      text: 'added',
      box: null,
      words: [{ text: 'added', box: null, confidence: null }],
    });
  });
});

interface Element {
  class?: string;
  title?: string;
  '#text'?: string | number;
  div?: Element[];
  p?: Element[];
  span?: Element[];
}

describe('writeHocr', () => {
  it('is XHTML of pages, areas, paragraphs, lines and words with their boxes and confidence', async () => {
    const content = await textOf('hocr', note, corrected);
    expect(XMLValidator.validate(content)).toBe(true);
    const [page] = parser.parse(content).html.body.div as Element[];
    expect(page).toMatchObject({
      class: 'ocr_page',
      title: 'image "picture.jpg"; bbox 0 0 900 520; ppageno 0',
    });
    const areas = page?.div ?? [];
    expect(areas.map((area) => area.class)).toEqual(['ocr_carea', 'ocr_carea']);
    const lines = areas.flatMap((area) => area.p ?? []).flatMap((paragraph) => paragraph.span ?? []);
    expect(lines.map((line) => line.class)).toEqual(Array(5).fill('ocr_line'));
    const words = lines.flatMap((line) => line.span ?? []);
    const { x, y, width, height } = note.lines[0]!.words[0]!.box;
    expect(words[0]).toMatchObject({
      class: 'ocrx_word',
      title: `bbox ${x} ${y} ${x + width} ${y + height}; x_wconf ${note.lines[0]!.words[0]!.confidence}`,
      '#text': 'Harbour',
    });
    expect(words.map((word) => String(word['#text'])).join(' ')).toBe(corrected.text.replaceAll(/\s+/g, ' '));
    expect(words.find((word) => word['#text'] === 'daily')?.title).not.toContain('x_wconf');
  });

  it('states the angle of the lines of a sideways picture', async () => {
    expect(await textOf('hocr', recordedExtraction('turned'))).toContain('; textangle 270"');
  });

  it('stays well-formed for any text', async () => {
    const content = await textOf('hocr', note, typed(HOSTILE));
    expect(XMLValidator.validate(content)).toBe(true);
    for (const part of ['\u0000', '\u000b', '<b>']) expect(content).not.toContain(part);
  });
});

describe('writeAlto', () => {
  it('holds blocks, lines and strings with their places and confidence', async () => {
    const content = await textOf('alto', note, corrected);
    expect(XMLValidator.validate(content)).toBe(true);
    const { Page: page } = parser.parse(content).alto.Layout;
    expect(page).toMatchObject({ WIDTH: '900', HEIGHT: '520' });
    const blocks: { TextLine: { String: Record<string, string>[] }[] }[] = page.PrintSpace.TextBlock;
    const strings = blocks.flatMap((block) => block.TextLine).flatMap((line) => line.String);
    expect(strings.map((string) => string.CONTENT).join(' ')).toBe(corrected.text.replaceAll(/\s+/g, ' '));
    const { box, confidence } = note.lines[0]!.words[0]!;
    expect(strings[0]).toMatchObject({
      HPOS: `${box.x}`,
      VPOS: `${box.y}`,
      WIDTH: `${box.width}`,
      HEIGHT: `${box.height}`,
      WC: (confidence / 100).toFixed(2),
    });
    const daily = strings.find((string) => string.CONTENT === 'daily');
    expect(daily).toMatchObject({ CS: 'true' });
    expect(daily).not.toHaveProperty('WC');
    expect(new Set(strings.map((string) => string.ID)).size).toBe(strings.length);
  });

  it('holds both parts of a hyphenated word', async () => {
    const extraction = extractionOf('eng', [[['exam-', 20, 120]], [['ple', 20, 70]]]);
    const joined = {
      text: 'example',
      marks: [
        { piece: 0, start: 0, end: 4 },
        { piece: 1, start: 4, end: 7 },
      ],
    };
    const content = await textOf('alto', extraction, joined);
    expect(content).toMatch(
      /CONTENT="exam" WC="0.90" SUBS_TYPE="HypPart1" SUBS_CONTENT="example"\/>\s*<HYP CONTENT="-"\/>/,
    );
    expect(content).toContain('CONTENT="ple" WC="0.90" SUBS_TYPE="HypPart2" SUBS_CONTENT="example"');
  });
});

describe('writeDocx: a table', () => {
  /** The stock table with columns at the given edges. */
  const stockWith = (edges: readonly number[]) => {
    const stock = structuredClone(recordedExtraction('table'));
    for (const cell of stock.layout!.tables[0]!.cells) {
      cell.box.x = edges[cell.column]!;
      cell.box.width = edges[cell.column + cell.columnSpan]! - cell.box.x;
    }
    return stock;
  };
  const documentOf = async (stock: Extraction) => (await zipOf('docx', stock))['word/document.xml']!;
  const widthsIn = (document: string) =>
    [...document.matchAll(/<w:gridCol w:w="(\d+)"\/>/g)].map(([, width]) => Number(width));

  it('has the column widths of the page', async () => {
    const document = await documentOf(stockWith([0, 300, 400, 500, 600]));
    expect(widthsIn(document)).toEqual([4513, 1504, 1504, 1504]);
    expect(document).toMatch(/<w:tcW w:type="dxa" w:w="451\d"\/>/);
    // Even a very narrow column stays legible.
    expect(widthsIn(await documentOf(stockWith([0, 3, 400, 500, 600])))).toEqual([432, 5715, 1440, 1440]);
  });

  it('has the same columns for a turned picture', async () => {
    const stock = recordedExtraction('table');
    const turned = structuredClone(stock);
    turned.image = { width: stock.image.height, height: stock.image.width, rotation: 90 };
    for (const { box } of turned.layout!.tables[0]!.cells) Object.assign(box, fromUpright(box, turned.image));
    expect(widthsIn(await documentOf(turned))).toEqual(widthsIn(await documentOf(stock)));
  });

  it('has spanning cells, and a width for a column without cells', async () => {
    const stock = stockWith([0, 300, 400, 500, 600]);
    const { cells } = stock.layout!.tables[0]!;
    for (const row of [5, 4, 3, 2, 1, 0]) {
      const at = cells.findIndex((cell) => cell.row === row && cell.column === 1);
      const [gone] = cells.splice(at, 1);
      Object.assign(cells[at - 1]!, { columnSpan: row === 5 ? 1 : 2 });
      cells[at - 1]!.words.push(...gone!.words);
    }
    const tall = cells.findIndex((cell) => cell.row === 2 && cell.column === 3);
    const [below] = cells.splice(tall, 1);
    const above = cells.find((cell) => cell.row === 1 && cell.column === 3)!;
    above.rowSpan = 2;
    above.words.push(...below!.words);

    const document = await documentOf(stock);
    expect(document.match(/<w:gridSpan w:val="2"\/>/g)).toHaveLength(5);
    expect(document.match(/<w:vMerge w:val="(?:restart|continue)"\/>/g)).toHaveLength(2);
    for (const width of widthsIn(document)) expect(width).toBeGreaterThan(400);
  });
});

describe('ruby', () => {
  /** "猫（ねこ）" with ruby, "犬（いぬ）" with brackets that were printed, and the first word once more. */
  const japanese = () => {
    const extraction = extractionOf('jpn', [
      [['猫（ねこ）と犬（いぬ）', 20, 300]],
      [['猫（ねこ）がいる。', 20, 200]],
    ]);
    for (const { words } of extraction.lines)
      words[0]!.ruby = [{ text: 'ねこ', confidence: 90, from: 0, to: 1 }];
    return extraction;
  };
  const plain = (xml: string) => xml.replaceAll(/<[^>]*>/g, '');

  it('Word: is above its text, and printed brackets stay', async () => {
    const document = (await zipOf('docx', japanese()))['word/document.xml']!;
    expect(XMLValidator.validate(document)).toBe(true);
    const ruby = [...document.matchAll(/<w:ruby>.*?<w:rt>(.*?)<\/w:rt><w:rubyBase>(.*?)<\/w:rubyBase>/gs)];
    expect(ruby.map(([, above, base]) => [plain(above!), plain(base!)])).toEqual([
      ['ねこ', '猫'],
      ['ねこ', '猫'],
    ]);
    expect(plain(document)).toContain('と犬（いぬ）');
  });

  it('JSON: has its range in the word', async () => {
    const json = exportedJsonSchema.parse(JSON.parse(await textOf('json', japanese())));
    expect(json.paragraphs[0]!.lines[0]!.words[0]).toMatchObject({
      text: '猫（ねこ）と犬（いぬ）',
      ruby: [{ text: 'ねこ', from: 0, to: 1 }],
    });
  });

  it('a corrected word loses its ruby and keeps its brackets', async () => {
    const extraction = japanese();
    const edited = retyped(extraction, '猫（ねこ）と', '猫（にゃんこ）と');
    const document = (await zipOf('docx', extraction, edited))['word/document.xml']!;
    expect(document.match(/<w:ruby>/g)).toHaveLength(1);
    expect(plain(document)).toContain('猫（にゃんこ）と');
  });
});

describe('writeDocx', () => {
  it('has its headings, a list and a table with its empty cells', async () => {
    const files = await zipOf('docx', recordedExtraction('order'));
    const document = files['word/document.xml']!;
    expect(XMLValidator.validate(document)).toBe(true);
    expect([...document.matchAll(/<w:pStyle w:val="(Heading\d)"\/>/g)].map(([, style]) => style)).toEqual([
      'Heading1',
      'Heading2',
    ]);
    expect(document.match(/<w:numPr>/g)).toHaveLength(3);
    expect(files['word/numbering.xml']).toContain('w:val="•"');
    expect(document.match(/<w:tr>/g)).toHaveLength(6);
    expect(document.match(/<w:tc>/g)).toHaveLength(24);
    expect(files['word/styles.xml']).toContain('w:ascii="Calibri"');
  });

  it("holds the paragraphs with their lines, and a user's text", async () => {
    const document = (await zipOf('docx', note, corrected))['word/document.xml']!;
    expect(XMLValidator.validate(document)).toBe(true);
    const paragraphs = [...document.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([paragraph]) =>
      paragraph.replaceAll(/<w:br\/>/g, '\n').replaceAll(/<[^>]*>/g, ''),
    );
    expect(paragraphs).toEqual(corrected.text.split('\n\n'));
  });

  it('sets right-to-left text in its direction', async () => {
    const extraction = extractionOf('ara', [
      [
        ['خبز', 700, 80],
        ['12', 600, 50],
      ],
    ]);
    const document = (await zipOf('docx', extraction))['word/document.xml']!;
    expect(document).toContain('<w:bidi/>');
    expect(document).toContain('<w:rtl/>');
  });

  it('stays well-formed for any text', async () => {
    const document = (await zipOf('docx', note, typed(HOSTILE)))['word/document.xml']!;
    expect(XMLValidator.validate(document)).toBe(true);
    for (const part of ['\u0000', '\u000b']) expect(document).not.toContain(part);
  });
});

const table = (...rows: string[][]): Table[] => [
  { rows, cells: [], headerRows: 0, box: { x: 0, y: 0, width: 1, height: 1 }, confidence: 90 },
];

describe('writeCsv', () => {
  it('holds the rows of a table, in UTF-8 with a byte order mark', async () => {
    expect(await textOf('csv', recordedExtraction('table'))).toBe(
      '\ufeffItem,Shelf,Pieces,Price\r\nBrass hinge,A12,40,3.50\r\nOak board,BO7,12,18.25\r\nLinseed oil,C03,6,9.90\r\nSandpaper,A04,250,0.45\r\nWood glue,C11,18,5.15\r\n',
    );
  });

  it('quotes separators in cells, and separates tables by an empty row', async () => {
    const tables = [...table(['a, b', 'say "c"']), ...table(['d'])];
    expect(await textOf('csv', note, undefined, tables)).toBe('\ufeff"a, b","say ""c"""\r\n\r\nd\r\n');
  });

  const cellsOf = async (...cells: string[]) => {
    const file = await textOf('csv', note, undefined, table(...cells.map((cell) => [cell])));
    return file.slice(1).split('\r\n').slice(0, -1);
  };

  it('CSV: a cell that a spreadsheet would evaluate starts with an apostrophe', async () => {
    const formulas = ['=1+1', '@sum', '-SUM(A1)', '-A1', '+1-800-555', '-3:4', '－1＋1', '＝1', ' =1'];
    for (const line of await cellsOf(...formulas)) expect(line).toMatch(/^"?'/);
    expect(await cellsOf('+1+cmd|x', '\t=1')).toEqual([`"'+1+cmd|x"`, `"'\t'=1"`]);
  });

  it('CSV: amounts, telephone numbers, dashes and words after a sign are not changed', async () => {
    const plain = ['-5.00', '+49 30 123-4', '- €', '-5%', '-', '- PMN', '-cmd', '- 3 apples', '- COVID-19'];
    const file = await textOf('csv', note, undefined, table([...plain, '-12 345,00 €', '- Note:']));
    expect(readCsv(file.slice(1), ',')).toEqual([[...plain, '-12 345,00 €', '- Note:']]);
  });

  it('CSV: numbers are not quoted', async () => {
    expect(await cellsOf('-5.00', '3.5', '12%', '0')).toEqual(['-5.00', '3.5', '12%', '0']);
  });

  it('CSV: control codes are left out, and possible separators are quoted', async () => {
    expect(await cellsOf('a\u0000\u001b[31mb\u009b', 'a;b', 'a\tb', 'a|b', '-5,3')).toEqual([
      '"a[31mb"',
      '"a;b"',
      '"a\tb"',
      '"a|b"',
      '"-5,3"',
    ]);
  });

  it('CSV: no field is a formula, read back with a comma, a semicolon or a tab as the separator', () => {
    const part = fc.constantFrom(
      ...['=', '+', '-', '@', '＝', '"', "'", ';', ',', '\t', '|', '\r', '\n', ' ', '(', ')', ':', '*'],
      ...['1', '41', 'A1', 'HYPERLINK', 'cmd', 'x', '/', '!', '\u0000', '\u001b'],
    );
    const cell = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    return holds(
      fc.asyncProperty(rows, async (drawn) => {
        const file = (await textOf('csv', note, undefined, table(...drawn))).slice(1);
        for (const separator of [',', ';', '\t']) {
          const fields = readCsv(file, separator).flat();
          expect(fields.filter(isEvaluated), `separator ${JSON.stringify(separator)}`).toEqual([]);
          if (separator === ',') expect(fields.filter((field) => /^[\t\r\n]/.test(field))).toEqual([]);
        }
      }),
      2_000,
    );
  });

  it('CSV: every cell is read back with its text, except for the escape of formulas and characters without text', () =>
    holds(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        async (drawn) => {
          const file = (await textOf('csv', note, undefined, table(...drawn))).slice(1);
          const plain = (text: string) =>
            withoutInvalidXmlCharacters(text).replaceAll(/['\u007f-\u009f]/g, '');
          expect(readCsv(file, ',').map((row) => row.map(plain))).toEqual(drawn.map((row) => row.map(plain)));
        },
      ),
      500,
    ));
});

/** Parses CSV as spreadsheets do: a quote opens a field only at its start, and text after the closing quote belongs to the field. */
function readCsv(file: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  for (let at = 0; at < file.length; at += 1) {
    const character = file[at]!;
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (file[at + 1] === '"') {
        field += character;
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) endField();
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && file[at + 1] === '\n') at += 1;
      endField();
      rows.push(row);
      row = [];
    } else field += character;
  }
  return rows;
}

/** Detects formulas independently of the product's rule; harmless fields do not count. */
function isEvaluated(field: string): boolean {
  if (/^\s*[=@＝＠]/.test(field)) return true;
  const signed = /^\s*[+\-＋－](.*)$/s.exec(field)?.[1];
  if (signed === undefined) return false;
  // Text after a closing bracket or value, or a comma that is not a decimal comma, is no formula.
  const before = signed.replace(/(?<=[\w),]\s*)".*$|,(?!\d).*$/s, '');
  return /[(|!:*=][\s(+-]*\w|(?<!\w)[A-Za-z]+\d|\d\s*[-+/]\s*\d/.test(before);
}

describe('writeXlsx', () => {
  it('holds a sheet for each table, with numbers as numbers and everything else as text', async () => {
    const cells = ['18.25', '007', '1.234', '12', '=1+1', '<b>', '', '4417123456789113'];
    const files = await zipOf('xlsx', note, undefined, [...table(cells), ...table(['second'])]);
    for (const [name, content] of Object.entries(files))
      expect(XMLValidator.validate(content), name).toBe(true);
    const sheet = files['xl/worksheets/sheet1.xml']!;
    expect(
      [...sheet.matchAll(/<c r="(\w+)"[^>]*><v>(.*?)<\/v>/g)].map(([, place, value]) => [place, value]),
    ).toEqual([
      ['A1', '18.25'],
      ['D1', '12'],
    ]);
    expect([...sheet.matchAll(/<t [^>]*>(.*?)<\/t>/g)].map(([, text]) => text)).toEqual([
      '007',
      '1.234',
      '=1+1',
      '&lt;b&gt;',
      '4417123456789113',
    ]);
    expect(sheet).not.toContain('<f>');
    expect(sheet).not.toContain('mergeCell');
    expect(files['xl/worksheets/sheet2.xml']).toContain('second');
  });
});

it('writeXlsx: a cell over several columns and rows is merged', async () => {
  const [stock] = table(['Stock', '', 'Price'], ['', '', '3']);
  const cell = { text: 'Stock', row: 0, column: 0, rowSpan: 2, columnSpan: 2, box: stock!.box, words: [] };
  const files = await zipOf('xlsx', note, undefined, [{ ...stock!, cells: [cell] }]);
  const sheet = files['xl/worksheets/sheet1.xml']!;
  expect(XMLValidator.validate(sheet)).toBe(true);
  expect(sheet).toContain('</sheetData><mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>');
});

describe('writers: several pages', () => {
  const pages = () =>
    [note, extractionOf('eng', [[['second', 20, 120]]])].map((extraction) => {
      const positionedText = positionedTextFrom(extraction);
      return { positionedText, tables: findTables(positionedText), picture: null };
    });
  const both = async (id: FormatId) => (await loadWriter(id))(pages());

  it('are separated by a rule in Markdown, and form a list of pages in JSON', async () => {
    expect(await both('markdown')).toContain('\n\n---\n\nsecond\n');
    const { format, version, pages: written } = JSON.parse(String(await both('json')));
    expect([format, version]).toEqual(['glyphlift-pages', 1]);
    expect(written.map((page: unknown) => exportedJsonSchema.parse(page).text)).toEqual([
      positionedTextFrom(note).text,
      'second',
    ]);
  });

  it.each(['hocr', 'alto'] as const)('are pages of one %s file with unique names', async (id) => {
    const file = String(await both(id));
    expect(XMLValidator.validate(file)).toBe(true);
    const names = [...file.matchAll(/ (?:id|ID)="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(names).size).toBe(names.length);
    expect(file.match(/(?:ocr_page"|<Page )/g)).toHaveLength(2);
    expect(file).toContain('page_2');
  });

  it('start on a new page in Word, also after a page without text', async () => {
    const [first, second] = pages();
    const write = await loadWriter('docx');
    const empty = { ...first!, positionedText: { ...first!.positionedText, text: '' } };
    const content = unzipSync((await write([empty, second!])) as Uint8Array);
    expect(strFromU8(content['word/document.xml']!).match(/<w:pageBreakBefore\/>/g)).toHaveLength(1);
  });
});

import { strToU8, zipSync } from 'fflate';
import { BRAND } from '#contract/product';
import { xml } from './markup.ts';
import type { Table } from './tables.ts';
import { decimalsOf, MAX_DECIMALS, numberFormat } from './tables.ts';
import type { WriterInput } from './writer-input.ts';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * A workbook with a sheet for each table. A clear number is a number, shown with the decimals of the picture; an ambiguous
 * one (1.234, 007, 16 digits of a card) stays a text, and nothing is ever a formula.
 */
export function writeXlsx(pages: readonly WriterInput[]): Uint8Array {
  const tables = pages.flatMap((page) => page.tables);
  const sheets = tables.map((_, index) => index + 1);
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>${sheets
      .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`)
      .join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${RELATIONS}/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${xml(BRAND.name)}</dc:creator></cp:coreProperties>`,
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${sheets
      .map((n) => `<sheet name="Table ${n}" sheetId="${n}" r:id="rId${n}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${sheets
      .map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
      .join('')}<Relationship Id="rId0" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  };
  tables.forEach((table, index) => {
    files[`xl/worksheets/sheet${index + 1}.xml`] = sheetOf(table);
  });
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(head + content)])),
  );
}

/** Cell formats by the number of decimals: general, 0, 0.0 and so on; the last one is for text. */
const DECIMALS = Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => numberFormat(decimals));
const TEXT_STYLE = DECIMALS.length + 1;
/** The first number available for custom formats. */
const OWN_FORMATS = 164;

const STYLES = `<styleSheet xmlns="${SPREADSHEET}"><numFmts count="${DECIMALS.length}">${DECIMALS.map(
  (code, index) => `<numFmt numFmtId="${OWN_FORMATS + index}" formatCode="${code}"/>`,
).join(
  '',
)}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${TEXT_STYLE + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${DECIMALS.map(
  (_, index) =>
    `<xf numFmtId="${OWN_FORMATS + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
).join(
  '',
)}<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function sheetOf({ rows, cells }: Table): string {
  const columns = (rows[0] ?? []).map((_, column) => {
    const longest = Math.max(...rows.map((row) => row[column]?.length ?? 0));
    const width = Math.min(60, Math.max(8, longest + 2));
    return `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`;
  });
  const data = rows.map(
    (row, y) =>
      `<row r="${y + 1}">${row.map((text, x) => cellOf(text, `${letters(x)}${y + 1}`)).join('')}</row>`,
  );
  return `<worksheet xmlns="${SPREADSHEET}"><cols>${columns.join('')}</cols><sheetData>${data.join('')}</sheetData>${mergedOf(cells)}</worksheet>`;
}

/** The ranges of cells that span several rows or columns. */
function mergedOf(cells: Table['cells']): string {
  const merged = cells.flatMap(({ row, column, rowSpan, columnSpan }) =>
    rowSpan * columnSpan === 1
      ? []
      : `<mergeCell ref="${letters(column)}${row + 1}:${letters(column + columnSpan - 1)}${row + rowSpan}"/>`,
  );
  return merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>`;
}

function cellOf(text: string, place: string): string {
  if (text === '') return '';
  const decimals = decimalsOf(text);
  if (decimals !== null) return `<c r="${place}" s="${decimals + 1}"><v>${text}</v></c>`;
  return `<c r="${place}" s="${TEXT_STYLE}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`;
}

function letters(column: number): string {
  const before = Math.floor(column / 26);
  return (before > 0 ? letters(before - 1) : '') + String.fromCharCode(65 + (column % 26));
}

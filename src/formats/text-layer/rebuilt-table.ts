import { strToU8 } from 'fflate';

/** The start of an object: its number and generation before `obj`. */
const HEAD = /\b(\d{1,10}) (\d{1,5}) obj\b/g;

const ROOT = /\/Root {0,9}(\d{1,10} \d{1,5} R)/;
const INFO = /\/Info {0,9}(\d{1,10} \d{1,5} R)/;

/**
 * Appends a new cross-reference table of all objects found in the file, for a file with a missing or wrong table, which the
 * WebAssembly build of qpdf does not repair. Undefined if objects would be lost, because the file has object streams or is
 * encrypted, or if it has no catalog.
 */
export function withRebuiltTable(pdf: Uint8Array): Uint8Array | undefined {
  const text = new TextDecoder('latin1').decode(pdf);
  const start = text.indexOf('%PDF-');
  if (start < 0 || text.includes('/ObjStm') || text.includes('/Encrypt')) return undefined;
  const objects = objectsIn(text);
  const trailer = text.slice(Math.max(0, text.lastIndexOf('trailer')));
  const root = ROOT.exec(trailer)?.[1] ?? catalogIn(text, objects);
  if (root === undefined || objects.size === 0) return undefined;
  const info = INFO.exec(trailer)?.[1];
  const entries = [...objects].map(([number, { at, generation }]) => {
    const offset = String(at - start).padStart(10, '0');
    return `${number} 1\n${offset} ${String(generation).padStart(5, '0')} n \n`;
  });
  const size = Math.max(...objects.keys()) + 1;
  const about = `<< /Size ${size} /Root ${root}${info ? ` /Info ${info}` : ''} >>`;
  const head = `\nxref\n0 1\n0000000000 65535 f \n${entries.join('')}trailer\n${about}\n`;
  const table = strToU8(`${head}startxref\n${pdf.length - start + 1}\n%%EOF\n`, true);
  const whole = new Uint8Array(pdf.length - start + table.length);
  whole.set(pdf.subarray(start));
  whole.set(table, pdf.length - start);
  return whole;
}

/** Objects by their number; the last object with a number is the current one. Matches within streams are ignored. */
function objectsIn(text: string): Map<number, { at: number; generation: number }> {
  const objects = new Map<number, { at: number; generation: number }>();
  HEAD.lastIndex = 0;
  for (let match = HEAD.exec(text); match; match = HEAD.exec(text)) {
    objects.set(Number(match[1]), { at: match.index, generation: Number(match[2]) });
    const end = text.indexOf('endobj', HEAD.lastIndex);
    const stream = text.indexOf('stream', HEAD.lastIndex);
    if (stream < 0 || end < stream) continue;
    const after = text.indexOf('endstream', stream + 'stream'.length);
    if (after < 0) break;
    HEAD.lastIndex = after;
  }
  return objects;
}

function catalogIn(text: string, objects: ReturnType<typeof objectsIn>): string | undefined {
  const found = [...objects].filter(([, { at }]) => {
    const end = text.indexOf('endobj', at);
    return /\/Type {0,9}\/Catalog\b/.test(text.slice(at, end < 0 ? undefined : end));
  });
  const [number, about] = found.at(-1) ?? [];
  return number === undefined ? undefined : `${number} ${about?.generation} R`;
}

/**
 * Reads and changes PDF objects as JSON with qpdf as WebAssembly. qpdf parses, repairs and writes the file; unchanged objects
 * and stream data stay byte for byte.
 */

import createModule from '@neslinesli93/qpdf-wasm';
import { strToU8, Unzlib } from 'fflate';
import { itemAt } from '../checked.ts';
import type { PdfDictionary, PdfValue } from '../pdf-file.ts';
import { PdfError } from '../pdf-file.ts';

/** An object by its reference, such as `obj:12 0 R`; `trailer` is the trailer. */
export type QpdfObjects = Record<
  string,
  { value: PdfValue } | { stream: { dict: PdfDictionary; data?: string } }
>;

export interface QpdfHeader {
  maxobjectid: number;
  [key: string]: unknown;
}

/** Exit status of qpdf for an unreadable file; 3 means repaired. */
const FAILED = 2;
const INPUT = '/in.pdf';
/** Limit of decoded content of all pages in bytes, against decompression bombs. */
const MAX_CONTENT = 256 * 2 ** 20;
/** Limit of a stream that qpdf decodes, such as LZW, because qpdf has no limit. */
const MAX_OF_OTHERS = 128 * 2 ** 10;
/** Chunk size of decompression between two checks of the limit. */
const INFLATE_CHUNK = 65_536;

interface Qpdf {
  callMain(args: string[]): number;
  FS: { writeFile(path: string, data: Uint8Array): void; readFile(path: string): Uint8Array };
}

export class QpdfFile {
  readonly #qpdf: Qpdf;
  readonly #said: string[];
  /** Bytes of content that were decoded. */
  #decoded = 0;

  private constructor(qpdf: Qpdf, said: string[]) {
    this.#qpdf = qpdf;
    this.#said = said;
  }

  static async open(pdf: Uint8Array): Promise<QpdfFile> {
    const said: string[] = [];
    const qpdf = await start(said);
    qpdf.FS.writeFile(INPUT, pdf);
    return new QpdfFile(qpdf, said);
  }

  /** One file of all pages of several. @throws {PdfError} */
  static async join(pdfs: readonly Uint8Array[]): Promise<Uint8Array> {
    const said: string[] = [];
    const qpdf = await start(said);
    const names = pdfs.map((_, at) => `/${at}.pdf`);
    for (const [at, pdf] of pdfs.entries()) qpdf.FS.writeFile(itemAt(names, at), pdf);
    const pages = names.flatMap((name) => [name, '1-z']);
    const writing = [
      '--object-streams=generate',
      '--decode-level=none',
      '--compress-streams=n',
      '--deterministic-id',
    ];
    new QpdfFile(qpdf, said).#run(['--empty', '--pages', ...pages, '--', ...writing, '/out.pdf']);
    return qpdf.FS.readFile('/out.pdf');
  }

  /** All objects, streams without their data. @throws {PdfError} `damaged`, `encrypted` */
  objects(): { header: QpdfHeader; objects: QpdfObjects } {
    return this.#json(['--json-stream-data=none']);
  }

  /**
   * Decoded data of streams, by their references. Left out: pictures and other streams that qpdf does not decode, damaged
   * ones, and those that are larger than any page's content is.
   */
  streams(references: readonly string[]): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const others: string[] = [];
    for (const [reference, { dict, data }] of this.#streamsAs('none', references)) {
      const filter = dict['/Filter'];
      const isFlate = String(filter) === '/FlateDecode' && dict['/DecodeParms'] === undefined;
      const content = isFlate ? inflated(data, MAX_CONTENT - this.#decoded) : data;
      if (filter !== undefined && !isFlate) {
        if (data.length <= MAX_OF_OTHERS) others.push(reference);
      } else if (content) {
        this.#decoded += content.length;
        found.set(reference, content);
      }
    }
    for (const [reference, { dict, data }] of this.#streamsAs('generalized', others)) {
      if (dict['/Filter'] === undefined) found.set(reference, data);
    }
    return found;
  }

  #streamsAs(level: 'none' | 'generalized', references: readonly string[]) {
    const streams = new Map<string, { dict: PdfDictionary; data: Uint8Array }>();
    if (references.length === 0) return streams;
    const wanted = references.map(
      (reference) => `--json-object=${reference.split(' ').slice(0, 2).join(',')}`,
    );
    const { objects } = this.#json(['--json-stream-data=inline', `--decode-level=${level}`, ...wanted]);
    for (const reference of references) {
      const object = objects[`obj:${reference}`];
      if (object && 'stream' in object)
        streams.set(reference, { dict: object.stream.dict, data: fromBase64(object.stream.data ?? '') });
    }
    return streams;
  }

  /** The file with replaced and new objects. @throws {PdfError} */
  withObjects(header: QpdfHeader, objects: QpdfObjects, options: readonly string[]): Uint8Array {
    const update = JSON.stringify({ version: 2, qpdf: [header, objects] });
    this.#qpdf.FS.writeFile('/update.json', strToU8(update));
    this.#run([INPUT, '--update-from-json=/update.json', ...options, '/out.pdf']);
    return this.#qpdf.FS.readFile('/out.pdf');
  }

  #json(options: readonly string[]): { header: QpdfHeader; objects: QpdfObjects } {
    this.#run(['--json=2', '--json-key=qpdf', ...options, INPUT, '/out.json']);
    const json = new TextDecoder().decode(this.#qpdf.FS.readFile('/out.json'));
    const [header, objects] = JSON.parse(json).qpdf;
    return { header, objects };
  }

  /** @throws {PdfError} if the module aborts, for example without memory */
  #statusOf(args: readonly string[]): number {
    try {
      return keepingExitCode(() => this.#qpdf.callMain([...args]));
    } catch {
      throw new PdfError('damaged', 'built in a way that takes too much memory to open');
    }
  }

  #run(args: readonly string[]): void {
    this.#said.length = 0;
    const status = this.#statusOf(args);
    if (status !== FAILED) return;
    // Each line starts with the program and the file.
    const said = this.#said.map((line) => line.split(`${INPUT}: `).at(-1)).join('; ');
    if (/invalid password|unsupported encryption/i.test(said))
      throw new PdfError('encrypted', 'protected by a password; save it without one');
    throw new PdfError('damaged', `its structure cannot be repaired (${said})`);
  }
}

/** Captures the module's console output for the error message. The module binds the console functions when it is called. */
function start(said: string[]): Promise<Qpdf> {
  const { console } = globalThis as unknown as { console: Record<'log' | 'error', (line: string) => void> };
  const { log, error } = console;
  console.log = () => {};
  console.error = (line) => said.push(line);
  try {
    // The types require `locateFile`, although the module finds its code by itself.
    return (createModule as unknown as (options: object) => Promise<Qpdf>)({});
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Restores the exit status of this process, which the module overwrites. */
function keepingExitCode<Result>(work: () => Result): Result {
  const { process } = globalThis as { process?: { exitCode?: number | undefined } };
  const before = process?.exitCode;
  try {
    return work();
  } finally {
    if (process) process.exitCode = before;
  }
}

const { atob, btoa } = globalThis as unknown as Record<'atob' | 'btoa', (text: string) => string>;

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Base64 in chunks of whole triples, because the number of function arguments is limited. */
const AT_ONCE = 0x3000;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + AT_ONCE)));
  return text;
}

/** Decompressed zlib data; undefined for more than `most` bytes or damaged data. */
export function inflated(data: Uint8Array, most: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Unzlib((part) => {
    parts.push(part);
    length += part.length;
  });
  try {
    for (let from = 0; from < data.length && length <= most; from += INFLATE_CHUNK)
      stream.push(data.subarray(from, from + INFLATE_CHUNK), from + INFLATE_CHUNK >= data.length);
  } catch {
    return undefined;
  }
  if (length > most) return undefined;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Reads and changes PDF objects as JSON, with qpdf in WebAssembly. qpdf parses, repairs and writes the file; unchanged objects
 * and stream data stay byte for byte.
 */

import createModule from '@neslinesli93/qpdf-wasm';
import { strToU8, Unzlib } from 'fflate';
import { concatBytes } from '../bytes.ts';
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

/** Exit status of qpdf for an unreadable file; 3 means that it was repaired. */
const FAILED = 2;
const INPUT = '/in.pdf';
/** Limit of decoded content of all pages in bytes, against decompression bombs. */
const MAX_CONTENT = 256 * 2 ** 20;
/** Maximum encoded size in bytes of a stream that qpdf decodes, such as LZW, because qpdf does not limit the decoded size. */
const MAX_ENCODED_WITHOUT_LIMIT = 128 * 2 ** 10;
/** Chunk size of decompression between two checks of the limit. */
const INFLATE_CHUNK = 65_536;

interface Qpdf {
  callMain(args: string[]): number;
  FS: { writeFile(path: string, data: Uint8Array): void; readFile(path: string): Uint8Array };
}

export class QpdfFile {
  readonly #qpdf: Qpdf;
  readonly #messages: string[];
  /** Total bytes of decoded content, counted against `MAX_CONTENT`. */
  #decoded = 0;

  private constructor(qpdf: Qpdf, messages: string[]) {
    this.#qpdf = qpdf;
    this.#messages = messages;
  }

  static async open(pdf: Uint8Array): Promise<QpdfFile> {
    const messages: string[] = [];
    const qpdf = await start(messages);
    qpdf.FS.writeFile(INPUT, pdf);
    return new QpdfFile(qpdf, messages);
  }

  /** A file with all pages of several files. @throws {PdfError} */
  static async join(pdfs: readonly Uint8Array[]): Promise<Uint8Array> {
    const messages: string[] = [];
    const qpdf = await start(messages);
    const names = pdfs.map((_, at) => `/${at}.pdf`);
    for (const [at, pdf] of pdfs.entries()) qpdf.FS.writeFile(itemAt(names, at), pdf);
    const pages = names.flatMap((name) => [name, '1-z']);
    const writing = [
      '--object-streams=generate',
      '--decode-level=none',
      '--compress-streams=n',
      '--deterministic-id',
    ];
    new QpdfFile(qpdf, messages).#run(['--empty', '--pages', ...pages, '--', ...writing, '/out.pdf']);
    return qpdf.FS.readFile('/out.pdf');
  }

  /** All objects, streams without their data. @throws {PdfError} `damaged`, `encrypted` */
  objects(): { header: QpdfHeader; objects: QpdfObjects } {
    return this.#json(['--json-stream-data=none']);
  }

  /**
   * Decoded data of streams, by their references. Omits images and other streams that qpdf does not decode, damaged streams,
   * and streams above the size limits.
   */
  streams(references: readonly string[]): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    const others: string[] = [];
    for (const [reference, { dict, data }] of this.#streamsAs('none', references)) {
      const filter = dict['/Filter'];
      const isFlate = String(filter) === '/FlateDecode' && dict['/DecodeParms'] === undefined;
      const content = isFlate ? inflate(data, MAX_CONTENT - this.#decoded) : data;
      if (filter !== undefined && !isFlate) {
        if (data.length <= MAX_ENCODED_WITHOUT_LIMIT) others.push(reference);
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
      return withExitCodeRestored(() => this.#qpdf.callMain([...args]));
    } catch {
      throw new PdfError('damaged', 'built in a way that takes too much memory to open');
    }
  }

  #run(args: readonly string[]): void {
    this.#messages.length = 0;
    const status = this.#statusOf(args);
    if (status !== FAILED) return;
    // Each line starts with the program and the file.
    const messages = this.#messages.map((line) => line.split(`${INPUT}: `).at(-1)).join('; ');
    if (/invalid password|unsupported encryption/i.test(messages))
      throw new PdfError('encrypted', 'protected by a password; save it without one');
    throw new PdfError('damaged', `its structure cannot be repaired (${messages})`);
  }
}

/** Captures the module's console output for the error message. The module binds the console functions when it is called. */
function start(messages: string[]): Promise<Qpdf> {
  const { console } = globalThis as unknown as { console: Record<'log' | 'error', (line: string) => void> };
  const { log, error } = console;
  console.log = () => {};
  console.error = (line) => messages.push(line);
  try {
    // The types require `locateFile`, although the module finds its code without it.
    return (createModule as unknown as (options: object) => Promise<Qpdf>)({});
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Restores `process.exitCode`, which the module overwrites. */
function withExitCodeRestored<Result>(work: () => Result): Result {
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

/** Bytes per call of `fromCharCode`, because the number of arguments is limited. A multiple of 3, so that chunks need no padding. */
const BASE64_CHUNK = 0x3000;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += BASE64_CHUNK)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + BASE64_CHUNK)));
  return text;
}

/** Decompressed zlib data; undefined for more than `maxBytes` bytes or damaged data. */
export function inflate(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Unzlib((part) => {
    parts.push(part);
    length += part.length;
  });
  try {
    for (let from = 0; from < data.length && length <= maxBytes; from += INFLATE_CHUNK)
      stream.push(data.subarray(from, from + INFLATE_CHUNK), from + INFLATE_CHUNK >= data.length);
  } catch {
    return undefined;
  }
  if (length > maxBytes) return undefined;
  return concatBytes(parts);
}

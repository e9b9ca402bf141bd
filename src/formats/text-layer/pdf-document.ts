/** An editable PDF: its objects, and its pages with inherited entries. */
import { zlibSync } from 'fflate';
import type { PdfDictionary, PdfObjects, PdfValue } from '../pdf-file.ts';
import { PdfError } from '../pdf-file.ts';
import { QpdfFile, type QpdfHeader, type QpdfObjects, toBase64 } from './qpdf.ts';
import { withRebuiltTable } from './rebuilt-table.ts';

/** A page's entries, inherited ones included. */
export interface PdfPage {
  /** Counted from 1. */
  number: number;
  reference: string;
  entries: PdfDictionary;
  inherited: PdfDictionary;
}

export interface FoundValue {
  value: PdfValue;
  /** Reference of the containing object. */
  reference: string;
  /** Key of the value. */
  key: string;
  /** Whether it is the dictionary of a stream. */
  isStream: boolean;
}

const REFERENCE = /^\d+ \d+ R$/;
export const isReference = (value: PdfValue | undefined): value is string =>
  typeof value === 'string' && REFERENCE.test(value);
export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INHERITED = ['/MediaBox', '/CropBox', '/Rotate', '/Resources'] as const;

/** @throws {PdfError} `damaged`, `encrypted` */
export async function openPdf(pdf: Uint8Array): Promise<PdfDocument> {
  try {
    return new PdfDocument(await QpdfFile.open(pdf));
  } catch (error) {
    const repaired =
      error instanceof PdfError && error.code === 'damaged' ? withRebuiltTable(pdf) : undefined;
    if (!repaired) throw error;
    return new PdfDocument(await QpdfFile.open(repaired));
  }
}

export class PdfDocument implements PdfObjects {
  readonly #file: QpdfFile;
  readonly #objects: QpdfObjects;
  readonly #header: QpdfHeader;
  readonly #changed: QpdfObjects = {};
  readonly #decoded = new Map<string, Uint8Array>();
  #last: number;

  /** @throws {PdfError} `damaged`, `encrypted` */
  constructor(file: QpdfFile) {
    this.#file = file;
    const { header, objects } = file.objects();
    this.#objects = objects;
    this.#header = header;
    this.#last = header.maxobjectid;
  }

  get version(): string {
    return String(this.#header.pdfversion);
  }

  get trailer(): PdfDictionary {
    const trailer = this.#objects.trailer;
    return trailer && 'value' in trailer && isDictionary(trailer.value) ? trailer.value : {};
  }

  /** Whether it is linearized. */
  get isLinearized(): boolean {
    return Object.values(this.#objects).some(
      (object) => 'value' in object && isDictionary(object.value) && '/Linearized' in object.value,
    );
  }

  get catalog(): PdfDictionary {
    return this.dictionary(this.trailer['/Root']) ?? {};
  }

  /** All values reachable from the trailer, each once, nested ones included. */
  *values(): Generator<FoundValue> {
    const visited = new Set<string>();
    const found: FoundValue[] = [{ value: this.trailer, reference: 'trailer', key: '', isStream: false }];
    for (let next = found.pop(); next; next = found.pop()) {
      const { value, reference, key } = next;
      if (isReference(value)) {
        if (visited.has(value)) continue;
        visited.add(value);
        const isStream = this.isStream(value);
        found.push({ value: this.resolve(value), reference: value, key, isStream });
        continue;
      }
      yield next;
      const inside = isDictionary(value) ? Object.entries(value) : [];
      for (const [name, each] of inside) found.push({ value: each, reference, key: name, isStream: false });
      if (!Array.isArray(value)) continue;
      for (const each of value) found.push({ value: each, reference, key, isStream: false });
    }
  }

  *dictionaries(): Generator<FoundValue & { value: PdfDictionary }> {
    for (const { value, ...found } of this.values()) if (isDictionary(value)) yield { ...found, value };
  }

  /** Resolves a reference; for a stream, returns its dictionary. Null for a missing object. */
  resolve(value: PdfValue | undefined): PdfValue {
    let found = value ?? null;
    for (let step = 0; isReference(found); step++) {
      const object = this.#object(found);
      if (!object || step > 20) return null;
      found = 'stream' in object ? object.stream.dict : object.value;
    }
    return found;
  }

  #object(reference: string): QpdfObjects[string] | undefined {
    return this.#changed[`obj:${reference}`] ?? this.#objects[`obj:${reference}`];
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const found = this.resolve(value);
    return isDictionary(found) ? found : undefined;
  }

  list(value: PdfValue | undefined): readonly PdfValue[] {
    const found = this.resolve(value);
    return Array.isArray(found) ? found : [];
  }

  isStream(reference: PdfValue | undefined): reference is string {
    const object = isReference(reference) ? this.#object(reference) : undefined;
    return object !== undefined && 'stream' in object;
  }

  /** Decodes streams, all in one run of qpdf. */
  load(references: readonly string[]): void {
    const missing = [...new Set(references)].filter((reference) => !this.#decoded.has(reference));
    for (const [reference, data] of this.#file.streams(missing)) this.#decoded.set(reference, data);
  }

  /** The content of a stream after `load`; undefined if it cannot be decoded. */
  decoded(reference: string): Uint8Array | undefined {
    return this.#decoded.get(reference);
  }

  /** @throws {PdfError} `damaged` for an invalid page tree */
  pages(): PdfPage[] {
    const pages: PdfPage[] = [];
    const above = new Set<string>();
    const walk = (reference: PdfValue, inherited: PdfDictionary) => {
      const node = this.dictionary(reference);
      if (!node) return;
      if (!isReference(reference))
        throw new PdfError('damaged', 'one of its pages is not an indirect object');
      const passed = { ...inherited };
      for (const key of INHERITED) if (node[key] !== undefined) Object.assign(passed, { [key]: node[key] });
      if (node['/Kids'] === undefined) {
        pages.push({ number: pages.length + 1, reference, entries: node, inherited: passed });
        return;
      }
      if (above.has(reference)) throw new PdfError('damaged', 'its list of pages contains itself');
      above.add(reference);
      for (const kid of this.list(node['/Kids'])) walk(kid, passed);
      above.delete(reference);
    };
    walk(this.catalog['/Pages'] ?? null, {});
    return pages;
  }

  add(value: PdfValue): string {
    return this.#put({ value });
  }

  addStream(dictionary: PdfDictionary, content: Uint8Array, { compressed = true } = {}): string {
    const isCompressed = dictionary['/Filter'] !== undefined || !compressed;
    const dict = isCompressed ? dictionary : { ...dictionary, '/Filter': '/FlateDecode' };
    const data = isCompressed ? content : zlibSync(content, { level: 9 });
    return this.#put({ stream: { dict, data: toBase64(data) } });
  }

  #put(object: QpdfObjects[string]): string {
    this.#last += 1;
    const reference = `${this.#last} 0 R`;
    this.#changed[`obj:${reference}`] = object;
    return reference;
  }

  /** Changes a stream's dictionary, not its data. */
  amendStream(reference: string, entries: PdfDictionary): void {
    const dict = { ...this.dictionary(reference), ...entries };
    this.#changed[`obj:${reference}`] = { stream: { dict } };
  }

  replace(reference: string, value: PdfValue): void {
    this.#changed[reference === 'trailer' ? 'trailer' : `obj:${reference}`] = { value };
  }

  /** Replaces filter lists of one entry by the entry, because qpdf would recompress such streams. */
  keepCompressedStreams(): void {
    for (const [key, object] of Object.entries(this.#objects)) {
      if (!('stream' in object) || this.#changed[key]) continue;
      const { '/Filter': filter, '/DecodeParms': parameters, ...dict } = object.stream.dict;
      const [only, ...others] = this.list(filter);
      if (only === undefined || others.length > 0) continue;
      const [first = null] = this.list(parameters);
      const parms = Array.isArray(this.resolve(parameters)) ? first : (parameters ?? null);
      this.#changed[key] = {
        stream: { dict: { ...dict, '/Filter': only, ...(parms !== null && { '/DecodeParms': parms }) } },
      };
    }
  }

  /** Changes entries of the catalog. */
  amendCatalog(entries: PdfDictionary): void {
    const root = this.trailer['/Root'];
    if (isReference(root)) this.replace(root, { ...this.catalog, ...entries });
  }

  /** @throws {PdfError} */
  bytes(options: readonly string[]): Uint8Array {
    return this.#file.withObjects(this.#header, this.#changed, options);
  }
}

import {
  describeLanguage,
  type Engine,
  type EngineStatus,
  type Language,
  type PageList,
  type PagesOptions,
  type PictureReport,
  type PreviewOptions,
  type Recognition,
  type RecognizeOptions,
} from '#ocr';

/** The engine's result for a picture of one line of text. */
export function recognitionOf(text: string, changes: Partial<Recognition> = {}): Recognition {
  const box = { x: 0, y: 0, width: 100, height: 20 };
  const words = text.split(' ').filter(Boolean);
  return {
    text,
    confidence: text === '' ? 0 : 0.954,
    lines:
      text === ''
        ? []
        : [
            {
              text,
              confidence: 0.954,
              box,
              paragraph: 0,
              words: words.map((word) => ({ text: word, confidence: 0.954, box })),
            },
          ],
    hidden: [],
    unread: [],
    layout: { tables: [], headings: [], listItems: [], fields: [], indents: [] },
    image: { width: 100, height: 20, rotation: 0 },
    language: 'eng',
    notices: [],
    durationMs: 12.3,
    ...changes,
  };
}

/** The engine's result for a table with one word per cell. */
export function recognitionOfTable(rows: readonly (readonly string[])[]): Recognition {
  const boxOf = (row: number, column: number) => ({ x: column * 100, y: row * 20, width: 90, height: 18 });
  const columns = rows[0]?.length ?? 0;
  const lines = rows.map((cells, row) => ({
    text: cells.join(' '),
    confidence: 0.954,
    box: { x: 0, y: row * 20, width: columns * 100, height: 18 },
    paragraph: 0,
    words: cells.map((text, column) => ({ text, confidence: 0.954, box: boxOf(row, column) })),
  }));
  const cells = rows.flatMap((texts, row) =>
    texts.map((_, column) => ({
      row,
      column,
      rowSpan: 1,
      columnSpan: 1,
      box: boxOf(row, column),
      confidence: 0.95,
      words: [{ line: row, from: column, to: column + 1 }],
    })),
  );
  const box = { x: 0, y: 0, width: columns * 100, height: rows.length * 20 };
  const table = { box, confidence: 0.95, rows: rows.length, columns, headerRows: 0, cells };
  const layout = { tables: [table], headings: [], listItems: [], fields: [], indents: [] };
  return recognitionOf(lines.map(({ text }) => text).join('\n'), {
    lines,
    layout,
    image: { ...box, rotation: 0 },
  });
}

const DOCUMENT = /^pages: (\d+) (.*)$/s;

/** The text on a page of a fake document: `pages: 3 NAME` has `NAME page 2` on page 2. Other files contain their text. */
export function textOn(document: Uint8Array, page: number | undefined): string {
  const text = Buffer.from(document).toString();
  const [, , name] = DOCUMENT.exec(text) ?? [];
  return name === undefined ? text : `${name} page ${page}`;
}

type Read = (picture: Uint8Array, options: RecognizeOptions) => Promise<Recognition>;

/**
 * A fake engine: the test of the server decides when and how the recognition of a picture ends.
 */
export class MemoryEngine implements Engine {
  /** Pictures whose recognition has started. */
  started = 0;
  state: EngineStatus['state'] = 'ready';
  /** Reported number of waiting pictures. */
  waiting = 0;
  draw: (picture: Uint8Array, options: PreviewOptions) => Promise<Uint8Array> = async (picture) => picture;
  confinement: EngineStatus['confinement'];

  /** The report of each picture. */
  report: PictureReport = { waitedMs: 1, workedMs: 2, stages: { decoding: 2 }, pid: undefined };

  constructor(public read: Read = async () => recognitionOf('Hello world')) {}

  async recognize(picture: Uint8Array, options: RecognizeOptions = {}): Promise<Recognition> {
    this.started++;
    options.onStage?.({ name: 'queued' });
    options.onStage?.({ name: 'decoding' });
    try {
      return await this.read(picture, options);
    } finally {
      options.onReport?.(this.report);
    }
  }

  async preview(picture: Uint8Array, _maxSide: number, options: PreviewOptions = {}): Promise<Uint8Array> {
    return this.draw(picture, options);
  }

  /** Page list of documents without a page count in their text; see `textOn`. */
  pageList: PageList = { unit: 'pixel', pages: [{ width: 100, height: 20, hasText: false }] };

  async pages(document: Uint8Array, options: PagesOptions = {}): Promise<PageList> {
    options.onReport?.(this.report);
    options.onWorked?.(this.report.workedMs ?? 0);
    const [, count] = DOCUMENT.exec(Buffer.from(document).toString()) ?? [];
    const [page] = this.pageList.pages;
    if (count === undefined || !page) return this.pageList;
    return { unit: 'pixel', pages: Array.from({ length: Number(count) }, () => page) };
  }

  async languages(): Promise<Language[]> {
    return [describeLanguage('eng')];
  }

  async ready(): Promise<void> {}

  status(): EngineStatus {
    return {
      state: this.state,
      pid: undefined,
      waiting: this.waiting,
      waitingBy: { premium: 0, free: this.waiting, preview: 0, job: 0 },
      confinement: this.confinement,
    };
  }

  async close(): Promise<void> {}
}

/** Never resolves. Rejects when the signal aborts, like the engine. */
export function untilAborted(signal: AbortSignal | undefined, error: () => Error): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(error());
    signal?.addEventListener('abort', () => reject(error()), { once: true });
  });
}

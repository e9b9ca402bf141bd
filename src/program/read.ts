/** `glyphlift read` */

import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { itemAt, required } from '#formats/checked';
import type { PagesWithText } from '#formats/text-layer/text-layer';
import { createEngine, type Engine } from '../library/engine.ts';
import { languageFoldersOfEnvironment } from '../server/language-folders.ts';
import { pendingTempFiles } from './atomic-file.ts';
import { listOf, nearest, type PageRange, rangesOf, UsageError } from './command-line.ts';
import {
  ReadFailure as Failure,
  failureOf,
  openDocument,
  PageSlots,
  type ReadFailure,
  type ReadingOptions,
  type ReadPage,
} from './documents.ts';
import { printable } from './folders.ts';
import {
  contentOf,
  extensionOf,
  FORMAT_NAMES,
  fileExistsError,
  formatNamed,
  isBinary,
  jsonLine,
  type OutputFormat,
  writeFileAtomically,
} from './outputs.ts';
import type { PdfOptions } from './pdf-output.ts';
import { createProgress } from './progress.ts';
import { type Source, sourcesOf } from './sources.ts';

interface ReadRequest {
  typed: string[];
  formats: OutputFormat[];
  out: string | undefined;
  languages: string[];
  jobs: number;
  minConfidence: number;
  pages: PageRange[] | undefined;
  force: boolean;
  pdf: PdfOptions;
}

/** Command-line options; numbers are already validated. */
export interface ReadOptions {
  format?: string[];
  out?: string;
  languages?: string[];
  jobs?: number;
  minConfidence?: number;
  pages?: string;
  force?: true;
  pagesWithText?: PagesWithText;
  rotatePages?: true;
  deskew?: true;
  pdfa?: true;
}

/** @returns the exit status. @throws {UsageError} */
export async function readCommand(typed: string[], options: ReadOptions): Promise<number> {
  const request: ReadRequest = {
    typed,
    formats: formatsOf(listOf(options.format)),
    out: options.out,
    languages: languagesOf(options.languages),
    jobs: options.jobs ?? availableParallelism(),
    minConfidence: options.minConfidence ?? 0,
    pages: options.pages === undefined ? undefined : rangesOf('--pages', options.pages),
    force: options.force ?? false,
    pdf: pdfOptionsOf(options),
  };
  if (typed.length === 0) throw new UsageError('Nothing was named that could be read.');
  const engine = createEngine({ jobs: request.jobs, languageFolders: languageFoldersOfEnvironment() });
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    stopping.abort();
    for (const draft of pendingTempFiles()) rmSync(draft, { force: true });
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    engine.ready().catch(() => {});
    await requireLanguages(request.languages, engine);
    return await readAll(request, engine, stopping.signal);
  } finally {
    await engine.close();
  }
}

/** Options of `read` and `watch` for PDFs. */
export const pdfOptionsOf = ({
  pagesWithText = 'skip',
  rotatePages = false,
  deskew = false,
  pdfa = false,
}: Partial<PdfOptions>): PdfOptions => ({
  pagesWithText,
  rotatePages,
  deskew,
  pdfa,
});

/** Whether to skip pages with text: only PDFs are requested, in which these pages stay unchanged. */
export const skipsPagesWithText = (formats: readonly OutputFormat[], { pagesWithText }: PdfOptions) =>
  pagesWithText === 'skip' && formats.every((format) => format === 'pdf');

export const languagesOf = (typed: readonly string[] | undefined) => {
  const named = listOf(typed);
  return named.length === 0 ? ['eng'] : named;
};

/** @throws {UsageError} */
export async function requireLanguages(wanted: readonly string[], engine: Engine): Promise<void> {
  const installed = (await engine.languages()).map(({ code }) => code);
  const missing = wanted.filter((code) => !installed.includes(code));
  if (missing.length === 0) return;
  throw new UsageError(
    `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not installed: glyphlift languages add ${missing.join(' ')}`,
  );
}

export function formatsOf(named: readonly string[]): OutputFormat[] {
  const formats = named.map((name) => {
    const format = formatNamed(name);
    if (format) return format;
    const close = nearest(name, FORMAT_NAMES);
    throw new UsageError(
      `There is no format ${name}.${close ? ` Did you mean ${close}?` : ''} There are ${FORMAT_NAMES.join(', ')}.`,
    );
  });
  return formats.length === 0 ? ['text'] : [...new Set(formats)];
}

/** Where results are written: standard output, a folder, or a single file. */
type Target =
  | { kind: 'stdout'; format: OutputFormat }
  | { kind: 'files'; root: string; fileOf(source: Source, format: OutputFormat): string };

function targetOf({ formats, out, typed }: ReadRequest, sources: readonly Source[]): Target {
  const [format = 'text', ...others] = formats;
  if (out === undefined) {
    if (others.length > 0) throw new UsageError('Several formats need an output folder: --out FOLDER');
    const single = isBinary(format) || format === 'hocr' || format === 'alto';
    if (single && (sources.length > 1 || (isBinary(format) && process.stdout.isTTY)))
      throw new UsageError(`${extensionOf(format)} needs an output folder: --out FOLDER`);
    return { kind: 'stdout', format };
  }
  const ending = `.${extensionOf(format)}`;
  const oneFile = typed.length === 1 && sources.length === 1 && others.length === 0 && out.endsWith(ending);
  if (oneFile) return { kind: 'files', root: dirname(out), fileOf: () => out };
  return {
    kind: 'files',
    root: out,
    fileOf: (source, each) => join(out, `${source.stem}.${extensionOf(each)}`),
  };
}

async function readAll(request: ReadRequest, engine: Engine, signal: AbortSignal): Promise<number> {
  const { sources, emptyFolders, foreignLinks } = await sourcesOf(request.typed);
  const target = targetOf(request, sources);
  const writeOptions = { force: request.force, ...(target.kind === 'files' && { root: target.root }) };
  const progress = createProgress(sources.length);
  const { languages, minConfidence, pages, jobs, formats, force, pdf } = request;
  const reading: ReadingOptions = {
    engine,
    languages,
    minConfidence,
    pages,
    skipPagesWithText: skipsPagesWithText(formats, pdf),
    signal,
    slots: new PageSlots(jobs),
  };
  let failed = 0;
  let leftOut = 0;
  let unchangedPages = 0;
  const fail = (name: string, { page, message }: Pick<ReadFailure, 'page' | 'message'>) => {
    failed++;
    progress.say(`glyphlift: ${name}: ${page === undefined ? '' : `page ${page}: `}${message}`);
  };
  const failWriting = ({ message }: ReadFailure) => {
    failed++;
    progress.say(`glyphlift: ${message}`);
  };
  for (const folder of emptyFolders) fail(folder, { message: 'no picture or PDF in this folder' });
  for (const link of foreignLinks)
    fail(link, { message: 'a link of another user is not followed; name it to read it' });

  /** Rejects a file before it is read if one of its results exists. */
  const requireNoResults = (source: Source) => {
    if (force || target.kind !== 'files') return;
    const there = formats.map((format) => target.fileOf(source, format)).find(existsSync);
    if (there) throw fileExistsError(there);
  };
  const open = async (source: Source) => {
    requireNoResults(source);
    const bytes = await source.bytes();
    return { bytes, ...(await openDocument(bytes, reading)) };
  };
  const printPages = async (source: Source, reads: readonly Promise<ReadPage | ReadFailure>[]) => {
    const read: ReadPage[] = [];
    for (const pending of reads) {
      const page = await pending;
      if (target.kind === 'stdout' && target.format === 'json')
        await print(`${jsonLine(source.name, page)}\n`);
      if (page instanceof Failure) fail(source.name, page);
      else {
        read.push(page);
        leftOut += page.leftOut;
      }
    }
    return read;
  };

  let printed = 0;
  for await (const { source, document } of readAhead(sources, 2 * jobs, open)) {
    progress.at(source.name);
    try {
      const { bytes, isPdf, skipped, reads } = await document;
      const read = await printPages(source, reads);
      const whole = { name: source.name, bytes, isPdf, pages: read };
      const hasContent = read.length > 0 || skipped > 0;
      if (hasContent && target.kind === 'files') {
        for (const format of formats) {
          const result = await contentOf(format, whole, engine, pdf).catch(failureOf);
          if (result instanceof Failure) fail(source.name, result);
          else {
            unchangedPages += skipped + result.unchangedPages;
            await writeFileAtomically(target.fileOf(source, format), result.content, writeOptions).catch(
              failWriting,
            );
          }
        }
      } else if (hasContent && target.kind === 'stdout' && target.format !== 'json') {
        const { content, unchangedPages: unchanged } = await contentOf(target.format, whole, engine, pdf);
        unchangedPages += skipped + unchanged;
        if (sources.length > 1)
          await print(`${printed++ > 0 ? '\n' : ''}==> ${printable(source.name)} <==\n`);
        await print(content);
      }
    } catch (error) {
      const failure = failureOf(error);
      if (target.kind === 'stdout' && target.format === 'json')
        await print(`${jsonLine(source.name, failure)}\n`);
      fail(source.name, failure);
    }
    progress.done();
  }
  progress.end();
  if (unchangedPages > 0)
    progress.say(`Pages with text that stayed as they were (--pages-with-text): ${unchangedPages}`);
  if (leftOut > 0) progress.say(`${leftOut} words below ${minConfidence} percent were left out.`);
  return failed > 0 ? 1 : 0;
}

/** Yields results in order, and opens at most `ahead` items before they are needed. */
async function* readAhead<Item, StartedDocument>(
  items: readonly Item[],
  ahead: number,
  open: (item: Item) => Promise<StartedDocument>,
) {
  const started: { source: Item; document: Promise<StartedDocument> }[] = [];
  let next = 0;
  while (next < items.length || started.length > 0) {
    while (next < items.length && started.length < ahead) {
      const source = itemAt(items, next++);
      const document = open(source);
      // Prevents an unhandled rejection; the failure surfaces when the result is awaited.
      document.catch(() => {});
      started.push({ source, document });
    }
    yield required(started.shift());
  }
}

/** Writes with back-pressure. An error of standard output ends the program (main.ts). */
function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(content, (error) => {
      if (!error) resolve();
    });
  });
}

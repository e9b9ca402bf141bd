import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { OCR_ERRORS, OcrError } from './errors.ts';
import type { ConfinementMode } from './host/confinement.ts';
import { type EngineEvent, Supervisor } from './host/supervisor.ts';
import { listLanguages } from './languages/language-data.ts';
import {
  type Engine,
  type PageList,
  type PagesOptions,
  PRIORITY,
  type PreviewOptions,
  type RecogniseOptions,
  type Recognition,
} from './types.ts';

export interface EngineOptions {
  /** More pixels than this in a picture's header are refused. */
  maxPixels: number;
  /** Pictures in work at once, and recognising threads; default: the machine's cores. */
  concurrency?: number;
  /** Pictures that may wait. */
  queueLimit: number;
  /** Places of the queue that only premium pictures may take. */
  premiumReserve: number;
  /** Time a picture may be in work; waiting in the queue does not count. */
  timeoutMs: number;
  /** Time a preview may be in work; default: a quarter of `timeoutMs`. */
  previewTimeoutMs?: number;
  /** Time a picture may wait for its turn; default: a minute. */
  waitMs?: number;
  /** Folders of plain `.traineddata` files, the first that has a language wins. English is built in. */
  languageDirs: readonly string[];
  /** How long a picture that was given up may go on before its process is replaced; default 5 s. */
  graceMs?: number;
  /** Pictures after which the recognising process is replaced by a fresh one; default 500. */
  recycleAfter?: number;
  /** Whether the recognising process is confined; default `auto`, which is as far as the system lets it be. */
  confinement?: ConfinementMode;
  /** Bytes of memory that the recognising process may hold; default by `concurrency` and the machine's memory. */
  memoryLimit?: number;
  /** Told of process and thread life; never of text. */
  onEvent?: (event: EngineEvent) => void;
}

/**
 * An engine whose recognition runs in a child process of its own; the process starts with `ready()` or the first
 * picture. Close it, or the process lives as long as this one.
 */
export function createEngine(options: EngineOptions): Engine {
  const concurrency = options.concurrency ?? availableParallelism();
  // The process may have another working folder than this one.
  const languageDirs = options.languageDirs.map((folder) => path.resolve(folder));
  const supervisor = new Supervisor({
    maxPixels: options.maxPixels,
    threads: concurrency,
    languageDirs,
    concurrency,
    queueLimit: options.queueLimit,
    premiumReserve: options.premiumReserve,
    timeoutMs: options.timeoutMs,
    previewTimeoutMs: options.previewTimeoutMs ?? options.timeoutMs / 4,
    waitMs: options.waitMs ?? 60_000,
    graceMs: options.graceMs ?? 5_000,
    recycleAfter: options.recycleAfter ?? 500,
    confinement: options.confinement ?? 'auto',
    memoryLimit: options.memoryLimit ?? defaultMemoryLimit(concurrency),
    onEvent: options.onEvent ?? (() => {}),
  });
  return {
    async recognise(bytes: Uint8Array, options: RecogniseOptions = {}): Promise<Recognition> {
      const { languages = ['eng'], filter = true, thorough = false, page, ...rest } = options;
      const { priority = PRIORITY.free, ...looks } = rest;
      const task = { kind: 'recognise', languages: distinct(languages), filter, thorough, page } as const;
      return (await supervisor.submit({ bytes, task, priority, ...looks })) as Recognition;
    },
    async preview(bytes: Uint8Array, maxSide: number, options: PreviewOptions = {}): Promise<Uint8Array> {
      const { page, ...looks } = options;
      const task = { kind: 'preview', maxSide, page } as const;
      return (await supervisor.submit({ bytes, task, priority: PRIORITY.preview, ...looks })) as Uint8Array;
    },
    async pages(bytes: Uint8Array, options: PagesOptions = {}): Promise<PageList> {
      const { priority = PRIORITY.free, ...looks } = options;
      return (await supervisor.submit({ bytes, task: { kind: 'pages' }, priority, ...looks })) as PageList;
    },
    languages: () => listLanguages(languageDirs),
    ready: () => supervisor.ready(),
    close: () => supervisor.close(),
    status: () => ({
      state: supervisor.state,
      pid: supervisor.pid,
      waiting: supervisor.waiting,
      waitingBy: supervisor.waitingBy,
      confinement: supervisor.confinement,
    }),
  };
}

/** Two of the largest pictures at once stay below this, whatever their format; most take a tenth of it. */
function defaultMemoryLimit(concurrency: number): number {
  return Math.min((512 + 2048 * Math.max(1, concurrency)) * 2 ** 20, totalmem() * 0.75);
}

/** Every set of languages costs each thread memory, and every language of a set costs time. */
const MOST_LANGUAGES = 5;

/** @throws {OcrError} `language_unavailable` */
function distinct(languages: readonly string[]): string[] {
  const named = [...new Set(languages)];
  if (named.length >= 1 && named.length <= MOST_LANGUAGES) return named;
  const reason =
    named.length === 0 ? 'no language was named' : `more than ${MOST_LANGUAGES} languages were named`;
  throw new OcrError(OCR_ERRORS.languageUnavailable, reason);
}

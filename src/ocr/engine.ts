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
  type Recognition,
  type RecognizeOptions,
} from './types.ts';

export interface EngineOptions {
  /** More pixels than this in a picture's header are refused. */
  maxPixels: number;
  /** Pictures in progress at once, and recognition threads; default: the machine's cores. */
  concurrency?: number;
  /** Pictures that may wait. */
  queueLimit: number;
  /** Places of the queue reserved for premium pictures. */
  premiumReserve: number;
  /** Time limit of a picture in progress, in milliseconds, without its time in the queue. */
  timeoutMs: number;
  /** Time limit of a preview in progress; default: a quarter of `timeoutMs`. */
  previewTimeoutMs?: number;
  /** Time limit of a picture in the queue; default: a minute. */
  waitMs?: number;
  /** Folders of plain `.traineddata` files; the first that has a language wins. English is built in. */
  languageDirs: readonly string[];
  /** How long an aborted picture may continue before its process is replaced; default 5 s. */
  graceMs?: number;
  /** Pictures after which the recognition process is replaced by a new one; default 500. */
  recycleAfter?: number;
  /** Whether the recognition process runs in a sandbox; default `auto`, as far as the system allows. */
  confinement?: ConfinementMode;
  /** Memory limit of the recognition process in bytes; default by `concurrency` and the machine's memory. */
  memoryLimit?: number;
  /** Called with events of processes and threads; never with text. */
  onEvent?: (event: EngineEvent) => void;
}

/**
 * An engine whose recognition runs in a child process; the process starts with `ready()` or the first picture. It ends
 * with `close()` or with this process.
 */
export function createEngine(options: EngineOptions): Engine {
  const concurrency = options.concurrency ?? availableParallelism();
  // The process may have another working directory than this one.
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
    async recognize(bytes: Uint8Array, options: RecognizeOptions = {}): Promise<Recognition> {
      const { languages = ['eng'], filter = true, thorough = false, page, ...others } = options;
      const { priority = PRIORITY.free, ...rest } = others;
      const task = { kind: 'recognize', languages: distinct(languages), filter, thorough, page } as const;
      return (await supervisor.submit({ bytes, task, priority, ...rest })) as Recognition;
    },
    async preview(bytes: Uint8Array, maxSide: number, options: PreviewOptions = {}): Promise<Uint8Array> {
      const { page, ...rest } = options;
      const task = { kind: 'preview', maxSide, page } as const;
      return (await supervisor.submit({ bytes, task, priority: PRIORITY.preview, ...rest })) as Uint8Array;
    },
    async pages(bytes: Uint8Array, options: PagesOptions = {}): Promise<PageList> {
      const { priority = PRIORITY.free, ...rest } = options;
      return (await supervisor.submit({ bytes, task: { kind: 'pages' }, priority, ...rest })) as PageList;
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

/** Two of the largest pictures of any format at once stay below this; most take a tenth of it. */
function defaultMemoryLimit(concurrency: number): number {
  return Math.min((512 + 2048 * Math.max(1, concurrency)) * 2 ** 20, totalmem() * 0.75);
}

/** Every set of languages costs each thread memory, and every language of a set costs time. */
const MAX_LANGUAGES = 5;

/** @throws {OcrError} `language_unavailable` */
function distinct(languages: readonly string[]): string[] {
  const named = [...new Set(languages)];
  if (named.length >= 1 && named.length <= MAX_LANGUAGES) return named;
  const reason =
    named.length === 0 ? 'no language was named' : `more than ${MAX_LANGUAGES} languages were named`;
  throw new OcrError(OCR_ERRORS.languageUnavailable, reason);
}

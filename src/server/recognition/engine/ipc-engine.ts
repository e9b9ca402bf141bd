/**
 * An engine in the parent process, for development: a server that restarts after every edit finds it warm. Calls go
 * over Node's IPC channel, pictures as bytes.
 */
import {
  type Engine,
  type EngineStatus,
  OCR_ERRORS,
  OcrError,
  type OcrErrorCode,
  type PageList,
  type PictureReport,
  type PreviewOptions,
  type Recognition,
  type RecognizeOptions,
  type Stage,
} from '#ocr';

/** One end of an IPC channel: a forked child, or `process` in the child. */
export interface ChannelEnd {
  send?(message: unknown): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

type IpcCall =
  | {
      name: 'recognize';
      picture: Uint8Array;
      options: Omit<RecognizeOptions, 'signal' | 'onStage' | 'onReport'>;
    }
  | { name: 'preview'; picture: Uint8Array; maxSide: number; page: number | undefined }
  | { name: 'pages'; picture: Uint8Array; priority: number | undefined }
  | { name: 'languages' }
  | { name: 'ready' };

type ToEngine = { engine: 'call'; id: number; call: IpcCall } | { engine: 'abort'; id: number };

type FromEngine =
  | { engine: 'status'; status: EngineStatus }
  | { engine: 'stage'; id: number; stage: Stage }
  | { engine: 'worked'; id: number; milliseconds: number }
  | { engine: 'report'; id: number; report: PictureReport }
  | { engine: 'done'; id: number; result: unknown }
  | { engine: 'failed'; id: number; code: OcrErrorCode; message: string };

/** How often the child is sent the engine's status. */
const STATUS_EVERY_MS = 200;

/**
 * Serves this engine to the process at the other end of the channel.
 * @returns a function that ends it: pending calls are cancelled, the engine stays
 */
export function lendEngine(engine: Engine, channel: ChannelEnd): () => void {
  const running = new Map<number, AbortController>();
  const tell = (message: FromEngine) => channel.send?.(message);
  const work = async ({ id, call }: Extract<ToEngine, { engine: 'call' }>) => {
    const given = new AbortController();
    running.set(id, given);
    try {
      const result = await execute(engine, call, {
        signal: given.signal,
        onStage: (stage) => tell({ engine: 'stage', id, stage }),
        onWorked: (milliseconds) => tell({ engine: 'worked', id, milliseconds }),
        onReport: (report) => tell({ engine: 'report', id, report }),
      });
      tell({ engine: 'done', id, result });
    } catch (error) {
      const code = error instanceof OcrError ? error.code : OCR_ERRORS.internal;
      tell({ engine: 'failed', id, code, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  };
  let ended = false;
  channel.on('message', (message) => {
    if (ended || !isOfEngine<ToEngine>(message)) return;
    if (message.engine === 'call') void work(message);
    else running.get(message.id)?.abort();
  });
  const telling = setInterval(() => tell({ engine: 'status', status: engine.status() }), STATUS_EVERY_MS);
  tell({ engine: 'status', status: engine.status() });
  return () => {
    ended = true;
    clearInterval(telling);
    for (const given of running.values()) given.abort();
  };
}

interface Listeners {
  signal: AbortSignal;
  onStage(stage: Stage): void;
  onWorked(milliseconds: number): void;
  onReport(report: PictureReport): void;
}

function execute(
  engine: Engine,
  call: IpcCall,
  { onStage, onWorked, ...looks }: Listeners,
): Promise<unknown> {
  if (call.name === 'recognize')
    return engine.recognize(call.picture, { ...call.options, ...looks, onStage });
  if (call.name === 'preview') {
    const page = call.page === undefined ? {} : { page: call.page };
    return engine.preview(call.picture, call.maxSide, { ...looks, ...page, onWorked });
  }
  if (call.name === 'pages') {
    const priority = call.priority === undefined ? {} : { priority: call.priority };
    return engine.pages(call.picture, { ...looks, ...priority, onWorked });
  }
  return call.name === 'languages' ? engine.languages() : engine.ready();
}

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: OcrError): void;
  onStage?: ((stage: Stage) => void) | undefined;
  onReport?: ((report: PictureReport) => void) | undefined;
}

/** Client of the engine at the other end. Closing it cancels the calls of this process only. */
export function ipcEngine(channel: ChannelEnd): Engine {
  const waiting = new Map<number, PendingCall>();
  /** The cost of a preview may be reported after its answer. */
  const workReported = new Map<number, (milliseconds: number) => void>();
  let lastId = 0;
  let status: EngineStatus = {
    state: 'idle',
    pid: undefined,
    waiting: 0,
    waitingBy: { premium: 0, free: 0, preview: 0, job: 0 },
    confinement: undefined,
  };
  let closed = false;
  const tell = (message: ToEngine) => channel.send?.(message);

  channel.on('message', (message) => {
    if (!isOfEngine<FromEngine>(message)) return;
    if (message.engine === 'status') {
      status = message.status;
      return;
    }
    const caller = waiting.get(message.id);
    if (message.engine === 'report') caller?.onReport?.(message.report);
    else if (message.engine === 'stage') caller?.onStage?.(message.stage);
    else if (message.engine === 'worked') {
      workReported.get(message.id)?.(message.milliseconds);
      workReported.delete(message.id);
    } else if (message.engine === 'done') caller?.resolve(message.result);
    else caller?.reject(new OcrError(message.code, message.message));
  });

  function ask(
    call: IpcCall,
    { signal, onStage, onWorked, onReport }: RecognizeOptions & PreviewOptions = {},
  ) {
    return new Promise<unknown>((resolve, reject) => {
      if (closed || signal?.aborted) {
        const code = closed ? OCR_ERRORS.stopping : OCR_ERRORS.aborted;
        reject(new OcrError(code, closed ? 'this server is stopping' : 'given up before it began'));
        return;
      }
      const id = ++lastId;
      const onAbort = () => tell({ engine: 'abort', id });
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        waiting.delete(id);
      };
      if (onWorked) workReported.set(id, onWorked);
      waiting.set(id, {
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          reject(error);
        },
        onStage,
        onReport,
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      tell({ engine: 'call', id, call });
    });
  }

  return {
    async recognize(picture, { signal, onStage, onReport, ...options } = {}) {
      const listeners = {
        ...(signal && { signal }),
        ...(onStage && { onStage }),
        ...(onReport && { onReport }),
      };
      return (await ask({ name: 'recognize', picture, options }, listeners)) as Recognition;
    },
    async preview(picture, maxSide, options = {}) {
      const call = { name: 'preview', picture, maxSide, page: options.page } as const;
      return (await ask(call, options)) as Uint8Array;
    },
    async pages(picture, options = {}) {
      const call = { name: 'pages', picture, priority: options.priority } as const;
      return (await ask(call, options)) as PageList;
    },
    async languages() {
      return (await ask({ name: 'languages' })) as Awaited<ReturnType<Engine['languages']>>;
    },
    async ready() {
      await ask({ name: 'ready' });
    },
    status: () => status,
    async close() {
      closed = true;
    },
  };
}

function isOfEngine<Message>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'engine' in message;
}

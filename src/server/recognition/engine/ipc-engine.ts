/**
 * An engine in the parent process, for development: a server that restarts after every edit need not start the engine again.
 * Calls use Node's IPC channel; pictures are sent as bytes.
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

/** Interval at which the child gets the engine's status. */
const STATUS_EVERY_MS = 200;

/**
 * Serves this engine to the process at the other end of the channel.
 * @returns a function that ends the service: it cancels pending calls, and the engine keeps running
 */
export function serveEngine(engine: Engine, channel: ChannelEnd): () => void {
  const running = new Map<number, AbortController>();
  const send = (message: FromEngine) => channel.send?.(message);
  const work = async ({ id, call }: Extract<ToEngine, { engine: 'call' }>) => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const result = await execute(engine, call, {
        signal: abort.signal,
        onStage: (stage) => send({ engine: 'stage', id, stage }),
        onWorked: (milliseconds) => send({ engine: 'worked', id, milliseconds }),
        onReport: (report) => send({ engine: 'report', id, report }),
      });
      send({ engine: 'done', id, result });
    } catch (error) {
      const code = error instanceof OcrError ? error.code : OCR_ERRORS.internal;
      send({ engine: 'failed', id, code, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  };
  let ended = false;
  channel.on('message', (message) => {
    if (ended || !isEngineMessage<ToEngine>(message)) return;
    if (message.engine === 'call') void work(message);
    else running.get(message.id)?.abort();
  });
  const statusTimer = setInterval(() => send({ engine: 'status', status: engine.status() }), STATUS_EVERY_MS);
  send({ engine: 'status', status: engine.status() });
  return () => {
    ended = true;
    clearInterval(statusTimer);
    for (const abort of running.values()) abort.abort();
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
  { onStage, onWorked, ...hooks }: Listeners,
): Promise<unknown> {
  if (call.name === 'recognize')
    return engine.recognize(call.picture, { ...call.options, ...hooks, onStage });
  if (call.name === 'preview') {
    const page = call.page === undefined ? {} : { page: call.page };
    return engine.preview(call.picture, call.maxSide, { ...hooks, ...page, onWorked });
  }
  if (call.name === 'pages') {
    const priority = call.priority === undefined ? {} : { priority: call.priority };
    return engine.pages(call.picture, { ...hooks, ...priority, onWorked });
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
  const pending = new Map<number, PendingCall>();
  /** Callers that wait for the cost of a preview, which may be reported after its result. */
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
  const send = (message: ToEngine) => channel.send?.(message);

  channel.on('message', (message) => {
    if (!isEngineMessage<FromEngine>(message)) return;
    if (message.engine === 'status') {
      status = message.status;
      return;
    }
    const caller = pending.get(message.id);
    if (message.engine === 'report') caller?.onReport?.(message.report);
    else if (message.engine === 'stage') caller?.onStage?.(message.stage);
    else if (message.engine === 'worked') {
      workReported.get(message.id)?.(message.milliseconds);
      workReported.delete(message.id);
    } else if (message.engine === 'done') caller?.resolve(message.result);
    else caller?.reject(new OcrError(message.code, message.message));
  });

  function request(
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
      const onAbort = () => send({ engine: 'abort', id });
      const settle = () => {
        signal?.removeEventListener('abort', onAbort);
        pending.delete(id);
      };
      if (onWorked) workReported.set(id, onWorked);
      pending.set(id, {
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
      send({ engine: 'call', id, call });
    });
  }

  return {
    async recognize(picture, { signal, onStage, onReport, ...options } = {}) {
      const listeners = {
        ...(signal && { signal }),
        ...(onStage && { onStage }),
        ...(onReport && { onReport }),
      };
      return (await request({ name: 'recognize', picture, options }, listeners)) as Recognition;
    },
    async preview(picture, maxSide, options = {}) {
      const call = { name: 'preview', picture, maxSide, page: options.page } as const;
      return (await request(call, options)) as Uint8Array;
    },
    async pages(picture, options = {}) {
      const call = { name: 'pages', picture, priority: options.priority } as const;
      return (await request(call, options)) as PageList;
    },
    async languages() {
      return (await request({ name: 'languages' })) as Awaited<ReturnType<Engine['languages']>>;
    },
    async ready() {
      await request({ name: 'ready' });
    },
    status: () => status,
    async close() {
      closed = true;
    },
  };
}

function isEngineMessage<Message>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'engine' in message;
}

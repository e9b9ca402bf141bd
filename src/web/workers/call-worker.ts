import { trustedScript } from './trusted-script.ts';

/** The failure of a worker. `failed`: its task threw an error with this message. */
export class WorkerError extends Error {
  override name = 'WorkerError';
  constructor(
    readonly why: 'failed' | 'crashed' | 'not-loaded',
    message: string = why,
  ) {
    super(message);
  }
}

/** A message from a worker that uses `answerCalls`. */
type WorkerMessage<Answer, Report> = { answer: Answer } | { report: Report } | { failure: string };

interface CallOptions<Report> {
  transfer?: Transferable[];
  signal?: AbortSignal | undefined;
  onReport?: (report: Report) => void;
}

/**
 * Runs one task in a new worker. The worker module calls `answerCalls`.
 * @throws {WorkerError}
 * @throws the abort reason of `signal`
 */
export async function callWorker<Task, Answer, Report = never>(
  address: string,
  task: Task,
  { transfer = [], signal, onReport }: CallOptions<Report> = {},
): Promise<Answer> {
  signal?.throwIfAborted();
  const worker = new Worker(trustedScript(address), { type: 'module' });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Answer, Report>>) => {
        if ('report' in data) onReport?.(data.report);
        else if ('answer' in data) resolve(data.answer);
        else reject(new WorkerError('failed', data.failure));
      };
      worker.onerror = (event) =>
        reject(new WorkerError(event instanceof ErrorEvent ? 'crashed' : 'not-loaded'));
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.postMessage(task, transfer);
    });
  } finally {
    worker.terminate();
  }
}

/** The worker's side of `callWorker`: posts the result of each task, and its progress before that. */
export function answerCalls<Task, Answer, Report = never>(
  work: (task: Task, report: (report: Report) => void) => Promise<Answer>,
): void {
  const post = (message: WorkerMessage<Answer, Report>) => postMessage(message);
  addEventListener('message', ({ data }: MessageEvent<Task>) => {
    work(data, (report) => post({ report })).then(
      (answer) => post({ answer }),
      (error: unknown) => post({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
}

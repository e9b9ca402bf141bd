import type { WorkerMessage } from './call-worker.ts';

/** The worker's side of `callWorker`: answers each task, and reports progress on the way. */
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

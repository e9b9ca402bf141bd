import type { MailRequests } from './accounts/mail-requests.ts';
import { createBackground } from './platform/background.ts';
import type { Logger } from './platform/logger.ts';
import type { MailQueue } from './platform/mail-queue.ts';

type UpkeepTask = () => Promise<unknown>;

/** Background tasks of a listening server: sending mails, checking payments, deleting what has expired. */
export interface Upkeep {
  start(): void;
  stop(): Promise<void>;
  run(): Promise<void>;
}

interface UpkeepOptions {
  mails: MailQueue;
  mailRequests: MailRequests;
  logger: Logger;
  onStart: readonly UpkeepTask[];
  everyMinute: readonly UpkeepTask[];
}

const MINUTE_MS = 60_000;

export function createUpkeep({ mails, mailRequests, logger, onStart, everyMinute }: UpkeepOptions): Upkeep {
  const background = createBackground({ logger, failure: 'the upkeep failed' });
  const runInOrder = async (tasks: readonly UpkeepTask[]) => {
    for (const task of tasks) await task();
  };
  const run = () => runInOrder(everyMinute);
  return {
    run,

    start() {
      mails.start();
      mailRequests.start();
      void background.run(() => runInOrder([...onStart, ...everyMinute]));
      background.every(MINUTE_MS, run);
    },

    async stop() {
      // An interrupted task, such as a call to a payment provider, runs again after the next start.
      await background.stop();
      await mailRequests.stop();
      await mails.stop();
    },
  };
}

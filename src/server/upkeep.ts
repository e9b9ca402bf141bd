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
  atStart: readonly UpkeepTask[];
  everyMinute: readonly UpkeepTask[];
}

const MINUTE_MS = 60_000;

export function createUpkeep({ mails, mailRequests, logger, atStart, everyMinute }: UpkeepOptions): Upkeep {
  const background = createBackground({ logger, failure: 'the upkeep failed' });
  const inTurn = async (tasks: readonly UpkeepTask[]) => {
    for (const task of tasks) await task();
  };
  const run = () => inTurn(everyMinute);
  return {
    run,

    start() {
      mails.start();
      mailRequests.start();
      void background.run(() => inTurn([...atStart, ...everyMinute]));
      background.every(MINUTE_MS, run);
    },

    async stop() {
      // An interrupted task, perhaps waiting for a payment provider, continues after the next start.
      await background.stop();
      await mailRequests.stop();
      await mails.stop();
    },
  };
}

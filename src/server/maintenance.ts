import type { MailRequests } from './accounts/mail-requests.ts';
import { createBackground } from './platform/background.ts';
import type { Logger } from './platform/logger.ts';
import type { MailQueue } from './platform/mail-queue.ts';

type MaintenanceTask = () => Promise<unknown>;

/** Background tasks of a listening server: sending mails, checking payments, deleting what has expired. */
export interface Maintenance {
  start(): void;
  stop(): Promise<void>;
  run(): Promise<void>;
}

interface MaintenanceOptions {
  mails: MailQueue;
  mailRequests: MailRequests;
  logger: Logger;
  onStart: readonly MaintenanceTask[];
  everyMinute: readonly MaintenanceTask[];
}

const MINUTE_MS = 60_000;

export function createMaintenance({
  mails,
  mailRequests,
  logger,
  onStart,
  everyMinute,
}: MaintenanceOptions): Maintenance {
  const background = createBackground({ logger, failure: 'the maintenance failed' });
  const runInOrder = async (tasks: readonly MaintenanceTask[]) => {
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

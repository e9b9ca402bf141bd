import { createBackground } from './background.ts';
import type { Logger } from './logger.ts';

/** Work that was written down in a transaction and is done afterwards, row by row, again after a restart. */
export interface Outbox {
  /** True once no further row should be started. */
  readonly stopping: boolean;
  deliver(): Promise<void>;
  /** The same in the background, for after a transaction that wrote a row. */
  wake(): void;
  /** Delivers now and at an interval until `stop`. */
  start(): void;
  /** Starts no further row and waits a moment for the current one; the rest is handled after the next start. */
  stop(): Promise<void>;
}

interface OutboxOptions<Row> {
  logger: Logger;
  failure: string;
  pollMs: number;
  patienceMs?: number | undefined;
  /** The next rows that are due, `limit` at most. `last`: the row that was handled before them in this delivery. */
  due: (limit: number, last: Row | undefined) => Promise<Row[]>;
  /** Takes the row away, or puts it off. */
  handle: (row: Row) => Promise<void>;
  /** After everything that was due. */
  afterwards?: () => void;
}

const BATCH = 20;

export function createOutbox<Row>(options: OutboxOptions<Row>): Outbox {
  const { logger, failure, pollMs, patienceMs, due, handle, afterwards = () => {} } = options;
  const background = createBackground({ logger, failure, patienceMs });

  async function deliverAll(): Promise<void> {
    let last: Row | undefined;
    let rows: Row[];
    do {
      rows = await due(BATCH, last);
      for (const row of rows) {
        if (background.stopping) return;
        await handle(row);
        last = row;
      }
    } while (rows.length === BATCH);
    afterwards();
  }

  const deliver = () => background.run(deliverAll);
  return {
    get stopping() {
      return background.stopping;
    },
    deliver,
    wake: () => void deliver(),
    start() {
      void deliver();
      background.every(pollMs, deliverAll);
    },
    stop: () => background.stop(),
  };
}

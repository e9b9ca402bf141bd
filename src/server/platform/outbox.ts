import { createBackground } from './background.ts';
import type { Logger } from './logger.ts';

/** An outbox: work stored in a transaction and processed afterwards, row by row, also after a restart. */
export interface Outbox {
  /** Whether `stop` was called. */
  readonly stopping: boolean;
  deliver(): Promise<void>;
  /** Delivers in the background. Called after a transaction that wrote a row. */
  wake(): void;
  /** Delivers now and periodically until `stop`. */
  start(): void;
  /** Starts no further row and waits for the current one, with a timeout; other rows are processed after the next start. */
  stop(): Promise<void>;
}

interface OutboxOptions<Row> {
  logger: Logger;
  failure: string;
  pollMs: number;
  timeoutMs?: number | undefined;
  /** The next due rows, at most `limit`. `last`: the row processed before them in this delivery. */
  due: (limit: number, last: Row | undefined) => Promise<Row[]>;
  /** Processes a row: deletes or postpones it. */
  handle: (row: Row) => Promise<void>;
  /** Called after all due rows. */
  onDelivered?: () => void;
}

const BATCH = 20;

export function createOutbox<Row>(options: OutboxOptions<Row>): Outbox {
  const { logger, failure, pollMs, timeoutMs, due, handle, onDelivered = () => {} } = options;
  const background = createBackground({ logger, failure, timeoutMs });

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
    onDelivered();
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

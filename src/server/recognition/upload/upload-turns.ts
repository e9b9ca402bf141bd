/** One upload among all those that arrive at the same time. */
export interface UploadTurn {
  /** Resolves when so many of its bytes may be looked at. */
  next(bytes: number): Promise<void>;
  /** Whether it has waited for others since this was last asked. The sender is not to blame for bytes that were not read. */
  wasHeldUp(): boolean;
}

export interface UploadTurns {
  enter(): UploadTurn;
}

/** Half a millisecond of reading forms. A single upload on a fast line has hundreds of such rounds a second. */
const BYTES_A_ROUND = 128 * 1024;

/** The share of the event loop, while several wait for their turns: other requests mostly find it free. */
const SHARE = 1 / 4;
/** Milliseconds: timers have no finer resolution, and anything longer was not an upload's work. */
const REST = { least: 1, most: 20 } as const;

export interface EventLoop {
  /** Once everything else that has arrived was looked at. */
  nextRound(begin: () => void): unknown;
  after(milliseconds: number, begin: () => void): unknown;
  /** Milliseconds from some beginning. */
  now(): number;
}

const EVENT_LOOP: EventLoop = {
  nextRound: (begin) => setImmediate(begin),
  after: (milliseconds, begin) => setTimeout(begin, milliseconds),
  now: () => performance.now(),
};

interface WaitingUpload {
  place: number;
  bytes: number;
  go: () => void;
}

/**
 * Lets a number of bytes of all uploads together through in each round of the event loop, so that other requests, such
 * as opening a page, are served in between. The system buffers the others, and their senders wait. With more than one
 * waiting, rounds are followed by a pause three times as long, in which only other requests are served. The first come
 * are served first: with many at once the first ones finish early, and the last ones are not held in memory. Only bytes
 * that have arrived take part, so a slow upload delays no other.
 */
export function createUploadTurns({
  bytesARound = BYTES_A_ROUND,
  eventLoop = EVENT_LOOP,
}: {
  bytesARound?: number;
  eventLoop?: EventLoop;
} = {}): UploadTurns {
  const waiting: WaitingUpload[] = [];
  let left = bytesARound;
  let entered = 0;
  let roundEnds = false;
  let began = 0;
  let owed = 0;

  function spend(bytes: number): void {
    left -= bytes;
    if (roundEnds) return;
    roundEnds = true;
    began = eventLoop.now();
    eventLoop.nextRound(endRound);
  }

  function endRound(): void {
    const ended = eventLoop.now();
    owed = waiting.length > 1 ? Math.min(REST.most, owed + (ended - began) * (1 / SHARE - 1)) : 0;
    if (owed < REST.least) {
      beginRound();
      return;
    }
    eventLoop.after(owed, () => {
      owed = Math.max(0, owed - (eventLoop.now() - ended));
      beginRound();
    });
  }

  function beginRound(): void {
    roundEnds = false;
    left = bytesARound;
    // A chunk larger than a round takes one for itself.
    for (let first = waiting[0]; first && (left === bytesARound || first.bytes <= left); first = waiting[0]) {
      waiting.shift();
      spend(first.bytes);
      first.go();
    }
  }

  return {
    enter() {
      const place = ++entered;
      let waits = false;
      let heldUp = false;
      return {
        wasHeldUp() {
          const was = heldUp;
          heldUp = waits;
          return was;
        },
        next(bytes) {
          if (waiting.length === 0 && bytes <= left) {
            spend(bytes);
            return Promise.resolve();
          }
          waits = true;
          heldUp = true;
          return new Promise((resolve) => {
            const go = () => {
              waits = false;
              resolve();
            };
            const behind = waiting.findIndex((other) => other.place > place);
            waiting.splice(behind < 0 ? waiting.length : behind, 0, { place, bytes, go });
            spend(0);
          });
        },
      };
    },
  };
}

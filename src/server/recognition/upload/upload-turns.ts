/** One of the parallel uploads. */
export interface UploadTurn {
  /** Resolves when this number of its bytes may be processed. */
  next(bytes: number): Promise<void>;
  /** Whether it waited for others since the last call. The sender is not to blame for bytes that were not read. */
  wasHeldUp(): boolean;
}

export interface UploadTurns {
  enter(): UploadTurn;
}

/** About half a millisecond of form parsing. A single upload on a fast line has hundreds of such rounds a second. */
const BYTES_A_ROUND = 128 * 1024;

/** Share of the event loop while several uploads wait, so that it is mostly free for other requests. */
const SHARE = 1 / 4;
/** Milliseconds: the resolution of timers, and the longest plausible work of uploads. */
const REST = { least: 1, most: 20 } as const;

export interface EventLoop {
  /** Calls `begin` after all pending events were processed. */
  nextRound(begin: () => void): unknown;
  after(milliseconds: number, begin: () => void): unknown;
  /** Monotonic time in milliseconds. */
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
 * Lets a limited number of bytes of all uploads through per round of the event loop, so that other requests, such as
 * opening a page, are served in between. The system buffers the rest, and their senders wait. If more than one upload
 * waits, each round is followed by a pause three times as long for other requests. First come, first served: the first
 * uploads finish early, and the last ones are not held in memory. Only received bytes count, so a slow upload delays no
 * other.
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
    // A chunk larger than a round gets its own round.
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

/** One upload among all those that arrive at the same time. */
export interface UploadTurn {
  /** Resolves when so many of its bytes may be looked at. */
  next(bytes: number): Promise<void>;
  /** Whether it has waited for others since this was last asked. What has not come meanwhile is no fault of its sender's. */
  wasHeldUp(): boolean;
}

export interface UploadTurns {
  /** Behind all that have entered before. */
  enter(): UploadTurn;
}

/** A millisecond of reading forms. A single upload on a fast line has hundreds of such rounds a second. */
const BYTES_A_ROUND = 256 * 1024;

interface Waiting {
  place: number;
  bytes: number;
  go: () => void;
}

/**
 * Lets so many bytes of all uploads together through in each round of the event loop, so that whatever else has arrived, such
 * as somebody who opens a page, is looked at in between. The system keeps the others meanwhile, and their senders wait.
 *
 * Who came first goes first: with many at once the first ones are done early, and the last ones are not held in memory.
 * Only what has arrived takes part, so a slow upload keeps nobody back.
 */
export function createUploadTurns({
  bytesARound = BYTES_A_ROUND,
  nextRound = setImmediate,
}: {
  bytesARound?: number;
  nextRound?: (begin: () => void) => unknown;
} = {}): UploadTurns {
  /** In the order of their places. */
  const waiting: Waiting[] = [];
  let left = bytesARound;
  let entered = 0;
  let roundEnds = false;

  function spend(bytes: number): void {
    left -= bytes;
    if (roundEnds) return;
    roundEnds = true;
    nextRound(beginRound);
  }

  function beginRound(): void {
    roundEnds = false;
    left = bytesARound;
    // What is larger than a round takes one for itself.
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

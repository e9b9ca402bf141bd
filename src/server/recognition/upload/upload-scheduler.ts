/** One of the parallel uploads. */
export interface ScheduledUpload {
  /** Resolves when this number of its bytes may be processed. */
  next(bytes: number): Promise<void>;
  /** Whether the upload waited for others since the last call. Then the server did not read its bytes, and the sender may not be slow. */
  wasDelayed(): boolean;
}

export interface UploadScheduler {
  add(): ScheduledUpload;
}

/** About half a millisecond of form parsing. A single upload on a fast connection gets hundreds of such rounds a second. */
const BYTES_PER_ROUND = 128 * 1024;

/** Share of the event loop while several uploads wait, so that it is mostly free for other requests. */
const SHARE = 1 / 4;
/** Bounds of a pause in milliseconds: the resolution of timers, and the longest plausible work of uploads. */
const PAUSE_MS = { min: 1, max: 20 } as const;

export interface EventLoop {
  /** Calls `begin` after all pending events were processed. */
  nextRound(callback: () => void): unknown;
  after(milliseconds: number, callback: () => void): unknown;
  /** Monotonic time in milliseconds. */
  now(): number;
}

const EVENT_LOOP: EventLoop = {
  nextRound: (callback) => setImmediate(callback),
  after: (milliseconds, callback) => setTimeout(callback, milliseconds),
  now: () => performance.now(),
};

interface WaitingUpload {
  place: number;
  bytes: number;
  resume: () => void;
}

/**
 * Limits the bytes of all uploads that are processed per round of the event loop, so that other requests, such as opening a
 * page, are served in between. The operating system buffers further bytes, and their senders wait. If more than one upload
 * waits, each round is followed by a pause for other requests that is three times as long. Waiting uploads are served in the
 * order in which they were added: the first ones finish early, and the last ones need no memory. Only received bytes count, so a slow
 * upload does not delay others.
 */
export function createUploadScheduler({
  bytesPerRound = BYTES_PER_ROUND,
  eventLoop = EVENT_LOOP,
}: {
  bytesPerRound?: number;
  eventLoop?: EventLoop;
} = {}): UploadScheduler {
  const waiting: WaitingUpload[] = [];
  let left = bytesPerRound;
  let entered = 0;
  let roundEnds = false;
  let roundStartedAt = 0;
  let pauseMs = 0;

  function spend(bytes: number): void {
    left -= bytes;
    if (roundEnds) return;
    roundEnds = true;
    roundStartedAt = eventLoop.now();
    eventLoop.nextRound(endRound);
  }

  function endRound(): void {
    const ended = eventLoop.now();
    pauseMs =
      waiting.length > 1 ? Math.min(PAUSE_MS.max, pauseMs + (ended - roundStartedAt) * (1 / SHARE - 1)) : 0;
    if (pauseMs < PAUSE_MS.min) {
      beginRound();
      return;
    }
    eventLoop.after(pauseMs, () => {
      pauseMs = Math.max(0, pauseMs - (eventLoop.now() - ended));
      beginRound();
    });
  }

  function beginRound(): void {
    roundEnds = false;
    left = bytesPerRound;
    // A chunk larger than a round gets its own round.
    for (
      let first = waiting[0];
      first && (left === bytesPerRound || first.bytes <= left);
      first = waiting[0]
    ) {
      waiting.shift();
      spend(first.bytes);
      first.resume();
    }
  }

  return {
    add() {
      const place = ++entered;
      let isWaiting = false;
      let delayed = false;
      return {
        wasDelayed() {
          const was = delayed;
          delayed = isWaiting;
          return was;
        },
        next(bytes) {
          if (waiting.length === 0 && bytes <= left) {
            spend(bytes);
            return Promise.resolve();
          }
          isWaiting = true;
          delayed = true;
          return new Promise((resolve) => {
            const resume = () => {
              isWaiting = false;
              resolve();
            };
            const nextIndex = waiting.findIndex((other) => other.place > place);
            waiting.splice(nextIndex < 0 ? waiting.length : nextIndex, 0, { place, bytes, resume });
            spend(0);
          });
        },
      };
    },
  };
}

import type { Stage, StageTimes } from '../types.ts';

/** Measures the time of each stage of one picture. A stage lasts until the next one starts. */
export interface StageClock {
  enter(stage: Stage): void;
  /** Up to the time of the call. */
  times(): StageTimes;
}

export function createStageClock(now: () => number = () => performance.now()): StageClock {
  const times: StageTimes = {};
  let current: keyof StageTimes | undefined;
  let since = 0;
  const close = () => {
    const moment = now();
    if (current !== undefined) times[current] = (times[current] ?? 0) + moment - since;
    since = moment;
  };
  return {
    enter({ name }) {
      // These two happen before any work in this process.
      if (name === current || name === 'queued' || name === 'fetching-language') return;
      close();
      current = name;
    },
    times() {
      close();
      return { ...times };
    },
  };
}

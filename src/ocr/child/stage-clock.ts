import type { Stage, StageTimes } from '../types.ts';

/** Takes the time of each stage of one picture. A stage goes on until the next one is entered. */
export interface StageClock {
  enter(stage: Stage): void;
  /** Up to this moment. */
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
      // These two come before anything is done here.
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

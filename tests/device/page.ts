import { readOnDevice } from '../../src/web/features/extraction/device/device-engine.ts';

/** A page that reads pictures on its device, for tests and measurements: `readPicture` with the picture as Base64. */
Object.assign(globalThis, {
  async readPicture(base64: string, filter: boolean, language: string, threads: number) {
    const picture = await (await fetch(`data:;base64,${base64}`)).blob();
    const startedAt = performance.now();
    let longestTask = 0;
    const watch = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        if (startTime >= startedAt) longestTask = Math.max(longestTask, duration);
    });
    watch.observe({ type: 'longtask' });
    const extraction = await readOnDevice(picture, {
      language,
      filter,
      threads,
      onStage() {},
      signal: new AbortController().signal,
    });
    const milliseconds = performance.now() - startedAt;
    watch.disconnect();
    return { extraction, milliseconds, longestTask };
  },
});

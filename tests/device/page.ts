import { readOnDevice } from '../../src/web/features/extraction/device/device-engine.ts';

/** A page that reads pictures on its device, for tests and measurements: `readPicture` with the picture as Base64. */
Object.assign(globalThis, {
  async readPicture(base64: string, filter: boolean) {
    const picture = await (await fetch(`data:;base64,${base64}`)).blob();
    const startedAt = performance.now();
    const extraction = await readOnDevice(picture, {
      filter,
      onStage() {},
      signal: new AbortController().signal,
    });
    return { extraction, milliseconds: performance.now() - startedAt };
  },
});

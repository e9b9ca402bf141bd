import { describe, expect, it } from 'vitest';
import { RestartPause } from './restart-pause.ts';

describe('RestartPause', () => {
  it('doubles with every consecutive failure, up to a quarter of a minute', () => {
    const pause = new RestartPause();
    const earned = Array.from({ length: 9 }, () => pause.lengthen());
    expect(earned.slice(0, 4)).toEqual([200, 400, 800, 1_600]);
    expect(earned.at(-1)).toBe(15_000);
  });

  it('is reset by the first answer', async () => {
    const pause = new RestartPause();
    for (let failures = 0; failures < 3; failures++) pause.lengthen();
    expect(pause.givesUp).toBe(true);
    pause.forget();
    expect(pause.givesUp).toBe(false);
    await pause.rest();
    expect(pause.lengthen()).toBe(200);
  });

  it('can be cut short', async () => {
    const pause = new RestartPause();
    for (let failures = 0; failures < 9; failures++) pause.lengthen();
    const over = pause.rest();
    expect(pause.isPausing).toBe(true);
    pause.cutShort();
    await over;
    expect(pause.isPausing).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { OCR_ERRORS } from './errors.ts';
import { orderingSteps } from './layout/order.ts';
import { inTurns } from './turns.ts';

/** Pages of two columns, one above the other, each under a heading: a region for each. */
function magazine(pages: number) {
  return Array.from({ length: pages }, (_, page) => {
    const top = page * 600;
    const column = (x: number, pitch: number) =>
      Array.from({ length: 12 }, (_, i) => ({
        x,
        y: top + 80 + i * pitch,
        width: 400 - (i % 3) * 9,
        height: 16,
      }));
    return [{ x: 0, y: top, width: 840, height: 40 }, ...column(0, 24), ...column(440, 27)];
  }).flat();
}

describe('ordering a page in turns', () => {
  it('comes to what it comes to at once', async () => {
    const boxes = magazine(8);
    const lines = await inTurns(orderingSteps(boxes), new AbortController().signal);
    expect(lines.flatMap((line) => line.boxes).toSorted((a, b) => a - b)).toEqual(boxes.map((_, i) => i));
    expect(new Set(lines.map(({ block }) => block)).size).toBeGreaterThan(8);
  });

  it('ends soon after the picture is given up by a message that comes while it is at work', async () => {
    const controller = new AbortController();
    let steps = 0;
    function* counted() {
      for (const step of orderingSteps(magazine(40))) {
        steps++;
        yield step;
      }
    }
    const whole = [...orderingSteps(magazine(40))].length;
    setImmediate(() => controller.abort());
    const given = inTurns(counted(), controller.signal);
    await expect(given).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
    expect(steps).toBeLessThan(whole / 4);
  });
});

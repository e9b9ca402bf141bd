import { expect, test } from 'vitest';
import { perSecond } from './throughput.ts';

test('perSecond: every item is processed once, with at most `width` in progress', async () => {
  const done: number[] = [];
  let underWay = 0;
  let most = 0;
  await perSecond([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++underWay);
    await new Promise(setImmediate);
    underWay--;
    done.push(item);
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

import { expect, test } from 'vitest';
import { perSecond } from './throughput.ts';

test('perSecond: processes every item once, with at most `width` in progress', async () => {
  const done: number[] = [];
  let inProgress = 0;
  let most = 0;
  await perSecond([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++inProgress);
    await new Promise(setImmediate);
    inProgress--;
    done.push(item);
  });
  expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

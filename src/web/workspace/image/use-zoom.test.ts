import { expect, it } from 'vitest';
import { fittingScales } from './use-zoom.ts';

const pane = { width: 600, height: 600 };

it('a picture fits as a whole, and is never enlarged for it', () => {
  expect(fittingScales(pane, { width: 1200, height: 900 })).toEqual({ whole: 0.5, fit: 0.5 });
  expect(fittingScales(pane, { width: 900, height: 1200 })).toEqual({ whole: 0.5, fit: 0.5 });
  expect(fittingScales(pane, { width: 300, height: 200 })).toEqual({ whole: 1, fit: 1 });
});

it('a tall picture fits its width, and can be seen as a whole', () => {
  expect(fittingScales(pane, { width: 1200, height: 6000 })).toEqual({ whole: 0.1, fit: 0.5 });
});

it('zoom: has a scale before the size of the viewport is known', () => {
  expect(fittingScales({ width: -26, height: -26 }, { width: 300, height: 200 }).fit).toBeGreaterThan(0);
});

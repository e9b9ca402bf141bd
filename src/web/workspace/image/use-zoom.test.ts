import { expect, it } from 'vitest';
import { fittingScales } from './use-zoom.ts';

const pane = { width: 600, height: 600 };

it('zoom: given a small picture, fits all of it and does not enlarge it', () => {
  expect(fittingScales(pane, { width: 1200, height: 900 })).toEqual({ whole: 0.5, fit: 0.5 });
  expect(fittingScales(pane, { width: 900, height: 1200 })).toEqual({ whole: 0.5, fit: 0.5 });
  expect(fittingScales(pane, { width: 300, height: 200 })).toEqual({ whole: 1, fit: 1 });
});

it('zoom: given a tall picture, fits its width and allows the whole', () => {
  expect(fittingScales(pane, { width: 1200, height: 6000 })).toEqual({ whole: 0.1, fit: 0.5 });
});

it('zoom: has a scale before the size of the viewport is known', () => {
  expect(fittingScales({ width: -26, height: -26 }, { width: 300, height: 200 }).fit).toBeGreaterThan(0);
});

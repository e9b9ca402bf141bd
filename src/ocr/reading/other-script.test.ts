import { expect, it } from 'vitest';
import { otherScript } from './other-script.ts';

const line = (shares: Record<string, number>) => new Map(Object.entries(shares));
const times = (count: number, shares: Record<string, number>) =>
  Array.from({ length: count }, () => line(shares));

it('otherScript: lines in letters of one script give its language, or one of its languages', () => {
  expect(otherScript(times(4, { Latn: 0.05, Grek: 0.9, Cyrl: 0.05 }))).toEqual({ code: 'ell' });
  expect(otherScript(times(9, { Latn: 0, Cyrl: 1 }))).toEqual({ code: 'rus', letters: 'Cyrillic' });
});

it('otherScript: a page that quotes Latin letters is judged by its other lines', () => {
  const code = times(9, { Latn: 0.99, Hani: 0.01 });
  expect(otherScript([...code, ...times(5, { Latn: 0.1, Hani: 0.8, Jpan: 0.1 })])?.code).toBe('chi_sim');
  expect(otherScript([...code, ...times(2, { Latn: 0.1, Hani: 0.9 })])).toBeUndefined();
});

it('otherScript: a few lines give no result', () => {
  expect(otherScript(times(3, { Latn: 0, Thai: 1 }))).toBeUndefined();
  expect(otherScript([])).toBeUndefined();
});

it('otherScript: lines in apparently several scripts give no result', () => {
  const mixed = ['Arab', 'Hebr', 'Thai'].flatMap((script) => times(2, { Latn: 0, [script]: 1 }));
  expect(otherScript(mixed)).toBeUndefined();
});

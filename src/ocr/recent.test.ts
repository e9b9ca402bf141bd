import { expect, it } from 'vitest';
import { Recent } from './recent.ts';

it('a value is made once and kept until enough others were asked for since', () => {
  const made: string[] = [];
  const dropped: string[] = [];
  const recent = new Recent<string>(2, (value) => dropped.push(value));
  const ask = (key: string) =>
    recent.get(key, () => {
      made.push(key);
      return `value of ${key}`;
    });
  expect(ask('a')).toBe('value of a');
  ask('b');
  ask('a');
  ask('c');
  expect(dropped).toEqual(['value of b']);
  ask('a');
  expect(made).toEqual(['a', 'b', 'c']);
});

it('a value that could not be made is made anew the next time', () => {
  const recent = new Recent<number>(2);
  expect(() =>
    recent.get('a', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(recent.get('a', () => 1)).toBe(1);
  recent.forget('a');
  expect(recent.get('a', () => 2)).toBe(2);
});

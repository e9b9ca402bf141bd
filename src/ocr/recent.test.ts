import { expect, it } from 'vitest';
import { Recent } from './recent.ts';

it('Recent: a value is made once and kept until enough others were requested', () => {
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

it('Recent: a failed value is made again on the next request', () => {
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

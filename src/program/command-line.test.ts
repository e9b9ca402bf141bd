import { expect, it } from 'vitest';
import { listOf, nearest, parsed, UsageError, wholeNumber } from './command-line.ts';

const OPTIONS = {
  format: { type: 'string', short: 'f', multiple: true },
  out: { type: 'string' },
  force: { type: 'boolean' },
} as const;

it('options come in any order, long and short, and a lone dash is a name', () => {
  const { values, positionals } = parsed(['a', '-f', 'md', '--force', '-', '--format=pdf,text'], OPTIONS);
  expect({ ...values }).toEqual({ format: ['md', 'pdf,text'], force: true });
  expect(positionals).toEqual(['a', '-']);
  expect(listOf(values.format)).toEqual(['md', 'pdf', 'text']);
  expect(listOf(['deu+eng'])).toEqual(['deu', 'eng']);
});

it.each([
  [['--frmat', 'md'], 'There is no option --frmat. Did you mean --format?'],
  [['--quiet'], 'There is no option --quiet.'],
  [['--hlp'], 'There is no option --hlp. Did you mean --help?'],
])('of %j it says which option may be meant', (args, message) => {
  expect(() => parsed(args, OPTIONS)).toThrow(new UsageError(message));
});

it.each([['--out'], ['--force=yes']])('%s is refused in one sentence', (arg) => {
  expect(() => parsed([arg], OPTIONS)).toThrow(UsageError);
});

it.each(['0', '257', '1.5', '', 'x', '1e9'])('%j is no number of jobs', (typed) => {
  expect(() => wholeNumber('jobs', typed, 1, 256)).toThrow('--jobs takes a whole number from 1 to 256');
});

it('a word that is far from all others means none of them', () => {
  expect(nearest('reed', ['read', 'watch'])).toBe('read');
  expect(nearest('lang', ['languages', 'serve'])).toBe('languages');
  expect(nearest('xyzzy', ['read', 'watch'])).toBeUndefined();
});

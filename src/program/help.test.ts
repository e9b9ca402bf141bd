import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FORMAT_IDS } from '#contract/formats';
import { READ_HELP, WATCH_HELP } from './help.ts';
import { FORMAT_NAMES, formatNamed } from './outputs.ts';

it('what the commands say of themselves stands in the documentation, word for word', () => {
  const page = readFileSync('docs/command-line.md', 'utf8');
  expect(page).toContain(READ_HELP);
  expect(page).toContain(WATCH_HELP);
});

it('every format of the product can be asked for, and the help names it', () => {
  const asked = FORMAT_NAMES.map(formatNamed);
  expect(asked).toEqual(expect.arrayContaining([...FORMAT_IDS, 'text']));
  for (const name of FORMAT_NAMES) expect(READ_HELP, name).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each([READ_HELP, WATCH_HELP])('help fits a terminal of 130 columns', (help) => {
  expect(help.split('\n').filter((line) => line.length > 130)).toEqual([]);
});

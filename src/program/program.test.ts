import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { FORMAT_IDS } from '#contract/formats';
import { UsageError } from './command-line.ts';
import { FORMAT_NAMES, formatNamed } from './outputs.ts';
import { createProgram } from './program.ts';

const readCommand = vi.hoisted(() => vi.fn(async () => 0));
vi.mock('./read.ts', () => ({ readCommand }));

async function run(...typed: string[]) {
  const statuses: number[] = [];
  await createProgram((status) => statuses.push(status), '1.2.3').parseAsync(typed, { from: 'user' });
  return statuses;
}

/** The help text of a command on a terminal of 110 columns. */
async function helpOf(...typed: string[]): Promise<string> {
  const output: string[] = [];
  const stdout = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => Boolean(output.push(String(text))));
  await run(...typed).catch(() => {});
  stdout.mockRestore();
  return output.join('');
}

it('createProgram: accepts long and short options in any order, and a single dash as a file', async () => {
  const typed = ['a', '-f', 'md', '--force', '-', '--format=pdf,text', '-j', '2', '--', '-x'];
  expect(await run('read', ...typed)).toEqual([0]);
  const options = { format: ['md', 'pdf,text'], force: true, jobs: 2 };
  expect(readCommand).toHaveBeenCalledWith(['a', '-', '-x'], options);
});

it.each([
  [['read', '--frmat', 'md'], 'There is no option --frmat. Did you mean --format?'],
  [['read', '--quiet'], 'There is no option --quiet.'],
  [['read', '--hlp'], 'There is no option --hlp. Did you mean --help?'],
  [['read', '--force=yes'], '--force takes no value.'],
  [['read', '--out'], '--out needs a value.'],
  [['read', '--jobs', '0'], '--jobs takes a whole number from 1 to 256, and not “0”.'],
  [['read', '--pages-with-text', 'all'], '--pages-with-text takes skip, redo or force, and not “all”.'],
  [['reed', 'a.png'], 'There is no command reed. Did you mean glyphlift read?'],
  [['lang'], 'There is no command lang. Did you mean glyphlift languages?'],
  [['xyzzy'], /^There is no command xyzzy\. There are read, watch, languages, /],
  [['languages', 'ad', 'deu'], 'This does not say what to do: ad deu'],
  [['languages', 'add'], 'CODE is missing.'],
])('createProgram: rejects %j with one sentence', async (typed, message) => {
  const error = await run(...typed).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  if (typeof message === 'string') expect((error as UsageError).message).toBe(message);
  else expect((error as UsageError).message).toMatch(message);
});

it.each(['read', 'watch'])('glyphlift %s --help: is quoted in the documentation', async (command) => {
  expect(readFileSync('docs/command-line.md', 'utf8')).toContain(
    `\`\`\`text\n${await helpOf(command, '--help')}\`\`\``,
  );
});

it('glyphlift read --help: names every format of the product', async () => {
  expect(FORMAT_NAMES.map(formatNamed)).toEqual(expect.arrayContaining([...FORMAT_IDS, 'text']));
  const help = await helpOf('read', '--help');
  for (const name of FORMAT_NAMES) expect(help, name).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each([[], ['read'], ['watch'], ['languages']])(
  'glyphlift %s --help: fits 110 columns',
  async (...command) => {
    const help = await helpOf(...command, '--help');
    expect(help).toContain('Usage: glyphlift');
    expect(help.split('\n').filter((line) => line.length > 110)).toEqual([]);
  },
);

it('glyphlift --version: prints the version', async () => {
  expect(await helpOf('--version')).toBe('1.2.3\n');
});

import { afterEach, expect, test } from 'vitest';
import { ReaderProcess } from './reader-process.ts';

const ECHO_PROGRAM = `
const { writeSync } = require('node:fs');
const say = (answer) => writeSync(3, JSON.stringify(answer) + '\\n');
console.log('a library prints what it likes');
say({ pid: process.pid });
let rest = '';
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { file } = JSON.parse(line);
    if (file === 'crash') process.exit(3);
    say({ text: 'read ' + file });
  }
});
`;

let asked: ReaderProcess;
afterEach(() => asked.close());

test('ReaderProcess: returns answers in order, whatever else the process prints', async () => {
  asked = new ReaderProcess({ program: process.execPath, args: ['-e', ECHO_PROGRAM] });
  expect(await asked.start()).toMatchObject({ pid: expect.any(Number) });
  expect(await asked.ask({ file: 'one' })).toEqual({ text: 'read one' });
  expect(await asked.ask({ file: 'two\n' })).toEqual({ text: 'read two\n' });
});

test('ReaderProcess: returns null if the process ends during a picture, and reads the next picture', async () => {
  asked = new ReaderProcess({ program: process.execPath, args: ['-e', ECHO_PROGRAM] });
  await asked.start();
  expect(await asked.ask({ file: 'crash' })).toBeNull();
  expect(await asked.ask({ file: 'next' })).toEqual({ text: 'read next' });
});

test("ReaderProcess: a failed start reports the process's error output", async () => {
  asked = new ReaderProcess({ program: process.execPath, args: ['-e', 'throw new Error("no weights")'] });
  await expect(asked.start()).rejects.toThrow(/did not start: [\s\S]*no weights/);
  asked = new ReaderProcess({ program: 'no-such-program', args: [] });
  await expect(asked.start()).rejects.toThrow(/no-such-program/);
});

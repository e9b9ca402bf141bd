import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { root } from './bootstrap.mjs';
import { type FoundExpression, findExpressions } from './regular-expressions.ts';

// The checker would rather run a program for this machine, or Java; its JavaScript says the same everywhere.
vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

/** Longer than any expression needs here: a verdict must not depend on how busy the machine is. */
const TEST_TIMEOUT_MS = 600_000;

interface Exception {
  file: string;
  expression: string;
  /** Why no text from outside can make it slow. */
  reason: string;
}
const exceptions: Exception[] = JSON.parse(
  readFileSync(join(root, 'scripts', 'regular-expressions.json'), 'utf8'),
);

const spelled = ({ source, flags }: FoundExpression) => `/${source}/${flags}`;
const isLinear = ({ source, flags }: FoundExpression) =>
  checkSync(source, flags, { timeout: TEST_TIMEOUT_MS }).status === 'safe';

describe('a regular expression of the product', () => {
  const { literals, built } = findExpressions(root, 'src');

  it('takes time in proportion to the text, or the list of exceptions says why it need not', {
    timeout: TEST_TIMEOUT_MS,
  }, () => {
    expect(literals.length).toBeGreaterThan(100);
    const verdicts = new Map(literals.map((one) => [spelled(one), one]));
    const slow = new Set([...verdicts].filter(([, one]) => !isLinear(one)).map(([text]) => text));
    const found = literals
      .filter((one) => slow.has(spelled(one)))
      .map((one) => ({ file: one.file, expression: spelled(one) }));
    expect(found).toEqual(exceptions.map(({ file, expression }) => ({ file, expression })));
    for (const { expression, reason } of exceptions) expect(reason, expression).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('is never assembled at run time, where no test could check it', () => {
    expect(built).toEqual([]);
  });
});

describe('the search for regular expressions', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glyphlift-expressions-'));
    mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('finds them by syntax: literals, constructions from text, and constructions that it cannot read', () => {
    writeFileSync(
      join(folder, 'src', 'deep', 'one.tsx'),
      `const a = 4 / 2 / 1; // /no/
const text = '/neither/';
const b = <p>/nor this/</p>;
const c = text.replace(/[/]+$/giu, '');
const d = new RegExp('^a+$', 'u');
const e = RegExp(\`b\`);
const f = new RegExp(text + '+');
`,
    );
    writeFileSync(join(folder, 'src', 'one.test.ts'), 'const t = /(a+)+$/;');
    expect(findExpressions(folder, 'src')).toEqual({
      literals: [
        { file: 'src/deep/one.tsx', line: 4, source: '[/]+$', flags: 'giu' },
        { file: 'src/deep/one.tsx', line: 5, source: '^a+$', flags: 'u' },
        { file: 'src/deep/one.tsx', line: 6, source: 'b', flags: '' },
      ],
      built: [{ file: 'src/deep/one.tsx', line: 7, call: "new RegExp(text + '+')" }],
    });
  });

  it('and the check together know the kinds that stop a server', () => {
    const check = (source: string) => isLinear({ file: '', line: 0, source, flags: '' });
    expect([check('^(a+)+$'), check('\\/+$'), check('^a+$')]).toEqual([false, false, true]);
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { root } from './bootstrap.mjs';
import { type FoundExpression, findExpressions } from './regular-expressions.ts';

// Uses the checker's JavaScript version, which is the same on every machine, instead of a native program or Java.
vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

/** Longer than any expression needs, so that the result does not depend on the load of the machine. */
const TEST_TIMEOUT_MS = 600_000;

interface Exception {
  file: string;
  expression: string;
  /** Why no external text can make it slow. */
  reason: string;
}
const exceptions: Exception[] = JSON.parse(
  readFileSync(join(root, 'scripts', 'regular-expressions.json'), 'utf8'),
);

const literalOf = ({ source, flags }: FoundExpression) => `/${source}/${flags}`;
const isLinear = ({ source, flags }: FoundExpression) =>
  checkSync(source, flags, { timeout: TEST_TIMEOUT_MS }).status === 'safe';

describe('regular expressions of the product', () => {
  const { literals, built } = findExpressions(root, 'src');

  it('take linear time, or are in the list of exceptions with a reason', {
    timeout: TEST_TIMEOUT_MS,
  }, () => {
    expect(literals.length).toBeGreaterThan(100);
    const verdicts = new Map(literals.map((one) => [literalOf(one), one]));
    const slow = new Set([...verdicts].filter(([, one]) => !isLinear(one)).map(([text]) => text));
    const found = literals
      .filter((one) => slow.has(literalOf(one)))
      .map((one) => ({ file: one.file, expression: literalOf(one) }));
    expect(found).toEqual(exceptions.map(({ file, expression }) => ({ file, expression })));
    for (const { expression, reason } of exceptions) expect(reason, expression).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('are never assembled at run time', () => {
    expect(built).toEqual([]);
  });
});

describe('findExpressions', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glyphlift-expressions-'));
    mkdirSync(join(folder, 'src', 'deep'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('finds literals, constructor calls with text, and constructor calls with unknown patterns', () => {
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

  it('and the checker detect catastrophic backtracking', () => {
    const check = (source: string) => isLinear({ file: '', line: 0, source, flags: '' });
    expect([check('^(a+)+$'), check('\\/+$'), check('^a+$')]).toEqual([false, false, true]);
  });
});

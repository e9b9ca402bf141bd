import { expect, test } from 'vitest';
import { slowest, testsOfPlaywright, testsOfVitest } from './gate-report.mjs';

test('the tests of both runners come with their files as a person would open them', () => {
  const vitest = {
    testResults: [
      { name: '/home/x/src/a.test.ts', assertionResults: [{ fullName: 'a is right', duration: 1500 }] },
    ],
  };
  expect(testsOfVitest(vitest, '/home/x')).toEqual([
    { file: 'src/a.test.ts', title: 'a is right', seconds: 1.5 },
  ]);
  const spec = {
    title: 'the page opens',
    file: 'blog.spec.ts',
    tests: [{ projectName: 'phone', results: [{ duration: 800 }, { duration: 200 }] }],
  };
  expect(testsOfPlaywright({ suites: [{ suites: [{ specs: [spec] }] }] })).toEqual([
    { file: 'tests/e2e/blog.spec.ts', title: '[phone] the page opens', seconds: 1 },
  ]);
});

test('the slowest twenty tests are named, slowest first, and the files whose tests take longest together', () => {
  const tests = Array.from({ length: 30 }, (_, n) => ({
    file: `${n % 3}.test.ts`,
    title: `test ${n}`,
    seconds: n,
  }));
  const lines = slowest(tests);
  expect(lines[0]).toBe('The slowest 20 tests:');
  expect(lines[1]).toBe('   29.0 s  2.test.ts › test 29');
  expect(lines[20]).toBe('   10.0 s  1.test.ts › test 10');
  expect(lines.slice(21)).toEqual([
    'The slowest 20 files:',
    '  155.0 s  2.test.ts',
    '  145.0 s  1.test.ts',
    '  135.0 s  0.test.ts',
  ]);
});

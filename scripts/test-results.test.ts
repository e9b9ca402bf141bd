import { expect, test } from 'vitest';
import { budgetLines, messageOf, problemLines, resultsOfPlaywright, slowest } from './test-results.mjs';

const specOf = (projectName: string, status: string, results: object[]) => ({
  suites: [
    {
      suites: [
        {
          specs: [{ title: 'blog: opens', file: 'blog.spec.ts', tests: [{ projectName, status, results }] }],
        },
      ],
    },
  ],
});

test('resultsOfPlaywright: sums up the attempts of a test, and has its path from the root', () => {
  const report = specOf('journeys', 'expected', [{ duration: 800, errors: [] }]);
  expect(resultsOfPlaywright(report, 'tests/e2e')).toEqual([
    {
      suite: 'journeys',
      file: 'tests/e2e/blog.spec.ts',
      title: 'blog: opens',
      seconds: 0.8,
      state: 'passed',
      message: '',
    },
  ]);
});

test('resultsOfPlaywright: a test that passes on its retry is flaky and keeps the first failure', () => {
  const report = specOf('phone', 'flaky', [
    { duration: 800, errors: [{ message: '\u001b[31mtoo late\u001b[39m' }] },
    { duration: 200, errors: [] },
  ]);
  expect(resultsOfPlaywright(report, 'tests/e2e')).toMatchObject([
    { suite: 'wide', title: '[phone] blog: opens', seconds: 1, state: 'flaky', message: 'too late' },
  ]);
});

test('resultsOfPlaywright: a test that fails twice, a skipped test and a file that cannot be loaded count as failed', () => {
  const twice = specOf('journeys', 'unexpected', [{ duration: 1, errors: [{ message: 'no' }] }]);
  expect(resultsOfPlaywright(twice, 'tests/e2e')).toMatchObject([{ state: 'failed', message: 'no' }]);
  const skipped = specOf('journeys', 'skipped', []);
  expect(resultsOfPlaywright(skipped, 'tests/e2e')).toMatchObject([
    { state: 'failed', message: 'did not run' },
  ]);
  const broken = { suites: [], errors: [{ message: 'SyntaxError', location: { file: 'a.spec.ts' } }] };
  expect(resultsOfPlaywright(broken, 'tests/e2e')).toMatchObject([{ file: 'a.spec.ts', state: 'failed' }]);
});

test('messageOf: lists the causes of an error below it', () => {
  const error = { message: 'no connection', cause: { message: 'connect ECONNREFUSED' } };
  expect(messageOf([error], '')).toBe('no connection\ncaused by: connect ECONNREFUSED');
});

test('slowest: lists the ten slowest tests and the files with the longest total time', () => {
  const results = Array.from({ length: 30 }, (_, n) => ({
    suite: 'unit',
    file: `${n % 3}.test.ts`,
    title: `test ${n}`,
    seconds: n,
    state: 'passed' as const,
    message: '',
  }));
  const lines = slowest(results);
  expect(lines[1]).toBe('   29.0 s  2.test.ts › test 29');
  expect(lines[10]).toBe('   20.0 s  2.test.ts › test 20');
  expect(lines.slice(11)).toEqual([
    'Slowest 10 files:',
    '  155.0 s  2.test.ts',
    '  145.0 s  1.test.ts',
    '  135.0 s  0.test.ts',
  ]);
});

test('budgetLines: warns of each exceeded limit', () => {
  expect(
    budgetLines([
      { name: 'clock', used: 500, limit: 480, unit: 's' },
      { name: 'a test', used: 0.51, limit: 0.6, unit: 's', digits: 2 },
    ]).slice(1),
  ).toEqual([
    '  clock                                  500 s       480 s   warning: over budget',
    '  a test                                0.51 s      0.60 s',
  ]);
});

test('problemLines: lists failures first, then flaky tests with their number', () => {
  const result = { suite: 'journeys', file: 'a.spec.ts', seconds: 1 };
  expect(
    problemLines([
      { ...result, title: 'one', state: 'flaky', message: 'late' },
      { ...result, title: 'two', state: 'failed', message: 'wrong' },
      { ...result, title: 'three', state: 'passed', message: '' },
    ]),
  ).toEqual([
    '✗ journeys: a.spec.ts › two\nwrong',
    'Flaky, passed on their retry (1):',
    '~ journeys: a.spec.ts › one\nlate',
  ]);
});

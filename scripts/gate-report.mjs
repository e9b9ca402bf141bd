/** What the gate says at its end beside what failed: which tests and files took longest, and where processor time went. */
import { cpus } from 'node:os';

/** @typedef {{ file: string, title: string, seconds: number }} TimedTest */

/** How many of the slowest are named. */
const NAMED = 20;

/**
 * @param {any} report Vitest's, as JSON
 * @param {string} root taken off the files' paths
 * @returns {TimedTest[]}
 */
export function testsOfVitest(report, root) {
  return report.testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
    assertionResults.map((/** @type {any} */ { fullName, duration }) => ({
      file: name.replace(`${root}/`, ''),
      title: fullName,
      seconds: (duration ?? 0) / 1000,
    })),
  );
}

/**
 * @param {any} report Playwright's, as JSON
 * @returns {TimedTest[]}
 */
export function testsOfPlaywright(report) {
  return report.suites.flatMap(specsOf).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ { projectName, results }) => ({
      file: `tests/e2e/${spec.file}`,
      title: `[${projectName}] ${spec.title}`,
      seconds:
        results.reduce((/** @type {number} */ sum, /** @type {any} */ { duration }) => sum + duration, 0) /
        1000,
    })),
  );
}

/**
 * @param {any} suite one of Playwright's, which hold others
 * @returns {any[]}
 */
export function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * The slowest tests and the files whose tests take longest together, a line each.
 * @param {readonly TimedTest[]} tests
 */
export function slowest(tests) {
  /** @type {Map<string, TimedTest>} */
  const files = new Map();
  for (const { file, seconds } of tests) {
    const soFar = files.get(file) ?? { file, title: '', seconds: 0 };
    files.set(file, { ...soFar, seconds: soFar.seconds + seconds });
  }
  return [
    `The slowest ${NAMED} tests:`,
    ...linesOf(tests, ({ file, title }) => `${file} › ${title}`),
    `The slowest ${NAMED} files:`,
    ...linesOf([...files.values()], ({ file }) => file),
  ];
}

/**
 * @param {readonly TimedTest[]} timed
 * @param {(test: TimedTest) => string} name
 */
function linesOf(timed, name) {
  return timed
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, NAMED)
    .map((test) => `${test.seconds.toFixed(1).padStart(7)} s  ${name(test)}`);
}

/**
 * Seconds that all processors have worked so far, for whomever: browsers and servers that outlive their parents are in
 * it, and so is whatever else runs on the machine.
 */
export function processorSeconds() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;
}

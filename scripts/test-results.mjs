/** Converts the results of both test runners to one format, and formats the summary of a run. */
import { stripVTControlCharacters } from 'node:util';

/**
 * The result of a test.
 * @typedef {object} TestResult
 * @property {string} suite unit, integration, component, journeys, …
 * @property {string} file from the project's root
 * @property {string} title
 * @property {number} seconds elapsed time, including retries
 * @property {'passed' | 'flaky' | 'failed'} state `flaky`: passed on its retry; a skipped test counts as failed
 * @property {string} message of the first failure; empty if it passed
 */

const LISTED = 10;
const MESSAGE_LINES = 12;

/**
 * @param {any} report Playwright's, as JSON
 * @param {string} folder of its tests, from the project's root
 * @returns {TestResult[]}
 */
export function resultsOfPlaywright({ suites, errors = [] }, folder) {
  const tests = suites.flatMap(specsOf).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ { projectName, status, results }) => ({
      suite: projectName === 'journeys' ? 'journeys' : 'wide',
      file: `${folder}/${spec.file}`,
      title: projectName === 'journeys' ? spec.title : `[${projectName}] ${spec.title}`,
      seconds:
        results.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.duration, 0) / 1000,
      state: status === 'expected' ? 'passed' : status === 'flaky' ? 'flaky' : 'failed',
      message:
        status === 'expected'
          ? ''
          : messageOf(
              results.flatMap((/** @type {any} */ one) => one.errors),
              'did not run',
            ),
    })),
  );
  // Failures outside of tests, such as a file that cannot be loaded.
  const others = errors.map((/** @type {any} */ error) => ({
    suite: 'journeys',
    file: error.location?.file ?? folder,
    title: 'could not be loaded',
    seconds: 0,
    state: 'failed',
    message: messageOf([error], ''),
  }));
  return [...tests, ...others];
}

/**
 * @param {any} suite a suite of Playwright, which may contain others
 * @returns {any[]}
 */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * @typedef {object} TestError
 * @property {string} [message]
 * @property {TestError} [cause]
 */

/**
 * The messages of errors and of their causes.
 * @param {TestError[]} errors
 * @param {string} otherwise
 */
export function messageOf(errors, otherwise) {
  const text = errors.map(withCauses).join('\n') || otherwise;
  return stripVTControlCharacters(text).split('\n').slice(0, MESSAGE_LINES).join('\n');
}

/**
 * @param {TestError} error
 * @returns {string}
 */
function withCauses({ message = '', cause }) {
  return cause ? `${message}\ncaused by: ${withCauses(cause)}` : message;
}

/**
 * The slowest tests and files, one line each.
 * @param {readonly TestResult[]} results
 */
export function slowest(results) {
  /** @type {Map<string, number>} */
  const files = new Map();
  for (const { file, seconds } of results) files.set(file, (files.get(file) ?? 0) + seconds);
  return [
    `Slowest ${LISTED} tests:`,
    ...lines(results.map(({ file, title, seconds }) => ({ name: `${file} › ${title}`, seconds }))),
    `Slowest ${LISTED} files:`,
    ...lines([...files].map(([name, seconds]) => ({ name, seconds }))),
  ];
}

/** @param {ReadonlyArray<{ name: string, seconds: number }>} timed */
function lines(timed) {
  return timed
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, LISTED)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

/**
 * A resource with the amount that was used and its limit.
 * @typedef {{ name: string, used: number, limit: number, unit: string, digits?: number }} BudgetLine
 */

/**
 * The used resources and their limits, with a warning for each exceeded limit.
 * @param {readonly BudgetLine[]} budget
 */
export function budgetLines(budget) {
  const figure = (/** @type {number} */ value, /** @type {BudgetLine} */ { unit, digits = 0 }) =>
    `${value.toFixed(digits)} ${unit}`;
  return [
    `${'Budget'.padEnd(34)}${'used'.padStart(12)}${'limit'.padStart(12)}`,
    ...budget.map((line) => {
      const { name, used, limit } = line;
      const warning = used > limit ? '   warning: over budget' : '';
      return `  ${name.padEnd(32)}${figure(used, line).padStart(12)}${figure(limit, line).padStart(12)}${warning}`;
    }),
  ];
}

/**
 * Lists failed tests, then tests that passed on their retry.
 * @param {readonly TestResult[]} results
 */
export function problemLines(results) {
  const listed = (/** @type {'failed' | 'flaky'} */ state, /** @type {string} */ mark) =>
    results
      .filter((result) => result.state === state)
      .map(({ suite, file, title, message }) => `${mark} ${suite}: ${file} › ${title}\n${message}`);
  const flaky = listed('flaky', '~');
  return [
    ...listed('failed', '✗'),
    ...(flaky.length > 0 ? [`Flaky, passed on their retry (${flaky.length}):`, ...flaky] : []),
  ];
}

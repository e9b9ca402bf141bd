/** Steps and summary of `npm test` and `npm run test:wide`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { budgetLines, problemLines, resultsOfPlaywright, slowest } from './test-results.mjs';

/** @typedef {import('./test-results.mjs').TestResult} TestResult */
/** @typedef {{ name: string, seconds: number, processor: number, tests: number, failed: number }} Step */

/**
 * Seconds of CPU time of the whole machine so far, so that browsers and servers that outlive their parents count. Includes
 * all other processes except those that run under `nice`.
 */
const processorSeconds = () => cpus().reduce((sum, { times }) => sum + times.user + times.sys, 0) / 1000;

/** Runs steps one after another, also after failures. A closure, because all steps add to one result. */
export function createTestRun() {
  const folder = mkdtempSync(join(tmpdir(), 'glyphlift-tests-'));
  const started = performance.now();
  const processorBefore = processorSeconds();
  /** @type {TestResult[]} */
  const results = [];
  /** @type {Step[]} */
  const steps = [];

  /**
   * Runs a step exclusively.
   * @param {string} name
   * @param {() => Promise<TestResult[]>} work a rejection counts as one failed test
   */
  async function step(name, work) {
    const clock = performance.now();
    const processor = processorSeconds();
    const found = await work().catch((error) => [
      failed(name, error instanceof Error ? error.message : String(error)),
    ]);
    results.push(...found);
    steps.push({
      name,
      seconds: (performance.now() - clock) / 1000,
      processor: processorSeconds() - processor,
      tests: found.length,
      failed: found.filter(({ state }) => state === 'failed').length,
    });
  }

  /**
   * Runs tools that check the sources in parallel; each counts as one test.
   * @param {Array<[name: string, tool: string, args: string[]]>} tools
   */
  const checks = (tools) =>
    Promise.all(
      tools.map(async ([name, tool, args]) => {
        const clock = performance.now();
        const { code, output } = await execute(tool, args, { quiet: true });
        if (code !== 0) console.error(output);
        const result = code === 0 ? passed(name) : failed(name, output);
        return { ...result, seconds: (performance.now() - clock) / 1000 };
      }),
    );

  /**
   * @param {readonly string[]} args projects, files and options
   * @param {string} [node] path of the Node that runs them and their child processes
   */
  async function vitest(args, node) {
    const file = join(folder, `vitest-${steps.length}.json`);
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'vitest-reporter.mjs')}`];
    const { code } = await execute('vitest', ['run', ...reporters, ...args], {
      node,
      env: { RESULTS_FILE: file },
    });
    return consistent(JSON.parse(readFileSync(file, 'utf8')), code, 'vitest');
  }

  /** @param {readonly string[]} projects of playwright.config.ts */
  async function playwright(projects) {
    const file = join(folder, `playwright-${steps.length}.json`);
    const { code } = await execute('playwright', ['test', ...projects.map((name) => `--project=${name}`)], {
      env: { RESULTS_FILE: file },
    });
    return consistent(
      resultsOfPlaywright(JSON.parse(readFileSync(file, 'utf8')), 'tests/e2e'),
      code,
      'playwright',
    );
  }

  /**
   * Prints the summary and ends the process.
   * @param {object} limits
   * @param {number} limits.clock seconds
   * @param {number} limits.processor seconds
   * @param {Record<string, number>} [limits.each] maximum mean CPU seconds per test, by step
   * @param {number} [limits.flaky] maximum number of tests that pass only on their retry; unlimited by default
   */
  function finish({ clock, processor, each = {}, flaky = Number.POSITIVE_INFINITY }) {
    rmSync(folder, { recursive: true, force: true });
    const unstable = results.filter(({ state }) => state === 'flaky').length;
    if (unstable > flaky) {
      results.push(failed('flaky tests', `${unstable} tests passed only on their retry; ${flaky} may`));
    }
    const failures = results.filter(({ state }) => state === 'failed').length;

    for (const line of slowest(results)) console.log(line);
    console.log(
      `${'Step'.padEnd(40)}${'clock'.padStart(8)}${'processor'.padStart(12)}${'tests'.padStart(8)}`,
    );
    for (const { name, seconds, processor, tests, failed } of steps) {
      const figures = [`${seconds.toFixed(0)} s`.padStart(8), `${processor.toFixed(0)} s`.padStart(12)];
      console.log(
        `${failed > 0 ? '✗' : '✓'} ${name.padEnd(38)}${figures.join('')}${String(tests).padStart(8)}`,
      );
    }
    const perTest = steps.flatMap(({ name, processor, tests }) => {
      const limit = each[name];
      return limit === undefined || tests === 0
        ? []
        : [{ name: `processor, a test of ${name}`, used: processor / tests, limit, unit: 's', digits: 2 }];
    });
    const used = (performance.now() - started) / 1000;
    const budget = [
      { name: 'clock', used, limit: clock, unit: 's' },
      { name: 'processor', used: processorSeconds() - processorBefore, limit: processor, unit: 's' },
      ...perTest,
    ];
    for (const line of budgetLines(budget)) console.log(line);
    // Printed last, because the end of a log is read first and kept longest.
    for (const line of problemLines(results)) console.log(line);
    console.log(`${results.length - failures} passed, ${failures} failed`);
    process.exit(failures === 0 ? 0 : 1);
  }

  return { step, checks, vitest, playwright, finish };
}

/** @param {string} name @returns {TestResult} */
export const passed = (name) => ({
  suite: 'checks',
  file: 'scripts',
  title: name,
  seconds: 0,
  state: 'passed',
  message: '',
});

/** @param {string} name @param {string} message @returns {TestResult} */
export const failed = (name, message) => ({ ...passed(name), state: 'failed', message });

/**
 * Adds a failure if the runner failed without a failed test.
 * @param {TestResult[]} results
 * @param {number} code its exit status
 * @param {string} runner
 */
function consistent(results, code, runner) {
  if (code === 0 || results.some(({ state }) => state === 'failed')) return results;
  return [...results, failed(runner, `${runner} ended with status ${code}`)];
}

/**
 * @param {string} tool a program of node_modules/.bin
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, node?: string | undefined }} [options]
 *   quiet: collect the output instead of showing it; node: path of another Node to run the tool with
 * @returns {Promise<{ code: number, output: string }>}
 */
function execute(tool, args, { env = {}, quiet = false, node } = {}) {
  return new Promise((resolve, reject) => {
    const program = join(root, 'node_modules', '.bin', tool);
    const child = spawn(node ?? program, node ? [program, ...args] : args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Moves built files away during `work`, because the search for unused code would count them as users of the sources.
 *
 * @template Result
 * @param {() => Promise<Result>} work
 */
export async function withoutBuiltFiles(work) {
  const [built, movedAway] = [join(root, 'dist'), join(root, '.cache', 'dist')];
  if (!existsSync(built)) return work();
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(movedAway, { recursive: true, force: true });
  renameSync(built, movedAway);
  try {
    return await work();
  } finally {
    renameSync(movedAway, built);
  }
}

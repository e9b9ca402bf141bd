/**
 * `npm test`: installs what is missing, then the whole gate.
 * Every step runs, whatever an earlier one found; each check without tests of its own counts as one test.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBuilt, ensureInstalled, requireNode, root } from './bootstrap.mjs';
import { processorSeconds, slowest, specsOf, testsOfPlaywright, testsOfVitest } from './gate-report.mjs';
import { ensureLts } from './lts.mjs';
import { ensurePrograms } from './system.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

requireNode();
await ensureInstalled('testing');
await ensurePrograms();

// The gate builds from nothing, and the search for unused code must not take built files for the sources' readers.
rmSync(join(root, 'dist'), { recursive: true, force: true });

/** Where the product meets Node itself and what is compiled for it: processes, threads, signals, every native package. */
const MEETS_NODE = [
  'src/server/main.test.ts',
  'src/server/platform/database.test.ts',
  'src/server/recognition/real-engine.test.ts',
  'src/ocr/host/confinement.test.ts',
  'src/server/people/password.test.ts',
];

const reports = mkdtempSync(join(tmpdir(), 'glyphlift-gate-'));
/** @type {Array<{ name: string, seconds: number } & Counts>} */
const results = [];
/** @type {string[]} what failed and why, a test each */
const failures = [];
/** @type {import('./gate-report.mjs').TimedTest[]} */
const timed = [];
/** @type {Array<{ name: string, seconds: number, processor: number }>} what ran by itself, and what it cost */
const costs = [];

// The quick checks share the two cores; the suites need both for themselves.
await costing('the four quick checks', () =>
  Promise.all([
    step('format and lint', () => check('biome', ['ci', '--colors=off', '--max-diagnostics=40', '.'])),
    step('types', () => check('tsc', ['-b'])),
    step('import rules', () =>
      check('depcruise', ['src', 'bench', 'tests', 'scripts', 'training', '--output-type', 'err']),
    ),
    step('unused code', unusedCode),
  ]),
);
await aloneStep('unit and integration tests', () => vitest());
await aloneStep('on the current LTS of Node', async () => vitest(await ensureLts(), MEETS_NODE));
await aloneStep('build', async () => {
  await ensureBuilt();
  return { passed: 1, failed: 0 };
});
await aloneStep('the package in a stranger’s project', () =>
  vitest(undefined, ['--config', 'vitest.package.config.ts']),
);
await aloneStep('browser tests', playwright);

rmSync(reports, { recursive: true, force: true });
for (const { name, seconds, passed, failed } of results) {
  console.log(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed, ${Math.round(seconds)} s`);
}
const total = results.reduce(
  (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
  {
    passed: 0,
    failed: 0,
  },
);
console.log('Processor time of this machine, in seconds:');
for (const { name, seconds, processor } of costs) {
  console.log(`${processor.toFixed(0).padStart(7)}    ${name} (${seconds.toFixed(0)} s by the clock)`);
}
for (const line of slowest(timed)) console.log(line);
// Last, because the end of a log is what is kept of it and what is read first.
for (const failure of failures) console.log(failure);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/**
 * Runs something that has the machine to itself, and notes what it cost.
 * @param {string} name
 * @param {() => Promise<unknown>} work
 */
async function costing(name, work) {
  const started = performance.now();
  const before = processorSeconds();
  await work();
  costs.push({ name, seconds: (performance.now() - started) / 1000, processor: processorSeconds() - before });
}

/**
 * @param {string} name
 * @param {() => Promise<Counts>} work
 */
function aloneStep(name, work) {
  return costing(name, () => step(name, work));
}

/**
 * @param {string} name
 * @param {() => Promise<Counts>} work a rejection counts as one failure
 */
async function step(name, work) {
  const started = performance.now();
  const counts = await work().catch((error) => {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  });
  results.push({ name, seconds: (performance.now() - started) / 1000, ...counts });
}

/** What nothing needs at all, and then what only tests need: in the product that is as dead. */
async function unusedCode() {
  const whole = await check('knip', ['--treat-config-hints-as-errors']);
  const product = await check('knip', ['--production', '--treat-config-hints-as-errors']);
  return { passed: whole.passed + product.passed, failed: whole.failed + product.failed };
}

/**
 * @param {string} tool
 * @param {readonly string[]} args
 * @returns {Promise<Counts>}
 */
async function check(tool, args) {
  const { code, output } = await npx(tool, args, { quiet: true });
  if (code !== 0) console.error(output);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * @param {string} [node] the program that runs them, and whatever they start
 * @param {readonly string[]} [files] all of them if left out; options too
 */
async function vitest(node, files = []) {
  const report = join(reports, `vitest-${files.length}.json`);
  const { code } = await npx(
    'vitest',
    ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { node },
  );
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = results;
  timed.push(...testsOfVitest(results, root));
  const brokenFiles = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  for (const { name, message, assertionResults } of testResults) {
    if (assertionResults.length === 0 && message) fail(name, message);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') fail(`${name} › ${fullName}`, failureMessages.join('\n'));
    }
  }
  return { passed: numPassedTests, failed: atLeastOne(code, numFailedTests + numPendingTests + brokenFiles) };
}

async function playwright() {
  const report = join(reports, 'playwright.json');
  const { code } = await npx('playwright', ['test'], { env: { GATE_REPORT: report } });
  const results = JSON.parse(readFileSync(report, 'utf8'));
  const { suites, stats, errors } = results;
  timed.push(...testsOfPlaywright(results));
  for (const spec of suites.flatMap(specsOf)) {
    for (const { projectName, results } of spec.tests) {
      const messages = results.flatMap((/** @type {{ errors: Array<{ message: string }> }} */ result) =>
        result.errors.map(({ message }) => message),
      );
      if (messages.length > 0)
        fail(`[${projectName}] ${spec.file}:${spec.line} › ${spec.title}`, messages.join('\n'));
    }
  }
  // A test that passes only when repeated, or does not run, has not passed.
  return {
    passed: stats.expected,
    failed: atLeastOne(code, stats.unexpected + stats.flaky + stats.skipped + errors.length),
  };
}

/**
 * @param {string} title
 * @param {string} message
 */
function fail(title, message) {
  failures.push(`✗ ${title}\n${stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n')}`);
}

/**
 * @param {number} code exit status of the runner
 * @param {number} failed
 */
function atLeastOne(code, failed) {
  return code === 0 ? failed : Math.max(1, failed);
}

/**
 * @param {string} tool a program of node_modules/.bin
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, node?: string | undefined }} [options]
 *   quiet: gather the output instead of showing it; node: run it by another Node than this one
 * @returns {Promise<{ code: number, output: string }>}
 */
function npx(tool, args, { env = {}, quiet = false, node } = {}) {
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

/** A Vitest reporter that writes the results in the format of `test-results.mjs` to the file RESULTS_FILE. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './bootstrap.mjs';
import { messageOf } from './test-results.mjs';

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter's default export
export default class ResultsReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('./test-results.mjs').TestError>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const results = modules.flatMap((module) => {
      const suite = module.project.name.split(' ')[0];
      const file = relative(root, module.moduleId);
      const tests = [...module.children.allTests()].map((test) => {
        const { state, errors = [] } = test.result();
        const { duration = 0, flaky = false } = test.diagnostic() ?? {};
        return {
          suite,
          file,
          title: test.fullName,
          seconds: duration / 1000,
          state: state === 'passed' ? (flaky ? 'flaky' : 'passed') : 'failed',
          message: state === 'passed' && !flaky ? '' : messageOf([...errors], `is ${state}`),
        };
      });
      // Failures of hooks and imports belong to no test.
      const others = module.errors();
      return others.length === 0 ? tests : [...tests, failure(suite, file, others)];
    });
    if (unhandledErrors.length > 0) results.push(failure('unit', 'vitest', unhandledErrors));
    writeFileSync(process.env.RESULTS_FILE ?? 'vitest-results.json', JSON.stringify(results));
  }
}

/**
 * @param {string | undefined} suite
 * @param {string} file
 * @param {ReadonlyArray<import('./test-results.mjs').TestError>} errors
 */
const failure = (suite, file, errors) => ({
  suite,
  file,
  title: 'fails outside its tests',
  seconds: 0,
  state: 'failed',
  message: messageOf([...errors], ''),
});

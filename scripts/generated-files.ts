import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/server/config.ts';
import { describeVariables } from '../src/server/platform/environment.ts';
import { METRICS } from '../src/server/platform/metrics.ts';

/**
 * Generates `.env.example` from `src/server/config.ts`, and the table of metrics in `docs/operations.md` from
 * `src/server/platform/metrics.ts`.
 */

export const PAGE = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
const [BEGIN, END] = ['<!-- metrics: written by scripts/generated-files.ts -->', '<!-- /metrics -->'];

/** @returns the page with the current table between its markers */
export function withMetricsTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no markers for the table of metrics`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${metricsTable()}\n\n${page.slice(end)}`;
}

function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { kind, labels, help }]) => {
    const names = Object.keys(labels).map((label) => `\`${label}\``);
    return `| \`${name}\` | ${kind} | ${names.join(', ')} | ${help} |`;
  });
  return ['| name | kind | labels | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../.env.example', import.meta.url), describeVariables(VARIABLES));
  writeFileSync(PAGE, withMetricsTable(readFileSync(PAGE, 'utf8')));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createLogger } from '../src/server/platform/logger.ts';
import { METRICS } from '../src/server/platform/metrics.ts';
import { createPrometheus } from '../src/server/platform/prometheus.ts';
import { root } from './bootstrap.mjs';
import { outlineOf } from './document-links.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

const dashboard = JSON.parse(read('deploy/grafana/glyphlift.json')) as {
  panels: Array<{ targets?: Array<{ expr: string }> }>;
};
const alerts = parse(read('deploy/prometheus/alerts.yml')) as {
  groups: Array<{ rules: Array<{ alert: string; expr: string; annotations: { runbook: string } }> }>;
};
const rules = alerts.groups.flatMap((group) => group.rules);
const queries = [...dashboard.panels.flatMap(({ targets = [] }) => targets), ...rules].map(
  ({ expr }) => expr,
);

/** The series that a server exposes. */
async function exposedSeries(): Promise<Set<string>> {
  const text = await createPrometheus({ version: '0', logger: createLogger('silent') }).text();
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
    ),
  );
}

test('dashboard and alerts: every query uses series that a server exposes', async () => {
  expect(queries.length).toBeGreaterThan(25);
  const exposed = await exposedSeries();
  const missing = queries.flatMap((query) =>
    (query.match(/\b(glyphlift|nodejs|process)_\w+/g) ?? [])
      .filter((name) => !exposed.has(name))
      .map((name) => `${name} in ${query}`),
  );
  expect(missing).toEqual([]);
});

test('dashboard and alerts: every query compares labels with values that they can have', () => {
  const matchers = queries.flatMap((query) =>
    [...query.matchAll(/(glyphlift_\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/g)].flatMap(
      ([, metric = '', matchers = '']) =>
        [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', values = '']) => ({
          metric,
          label,
          values: values.split('|'),
          query,
        })),
    ),
  );
  expect(matchers.length).toBeGreaterThan(5);
  for (const { metric, label, values, query } of matchers) {
    const labels: Readonly<Record<string, readonly string[] | number>> =
      METRICS[metric as keyof typeof METRICS].labels;
    const possible = labels[label];
    expect(possible, `label ${label} in ${query}`).toBeDefined();
    // The values of some labels are not known in advance.
    if (typeof possible === 'number') continue;
    for (const value of values) expect(possible, query).toContain(value);
  }
});

test('alerts: each runbook is a section of docs/operations.md', () => {
  expect(rules.length).toBeGreaterThan(8);
  const { anchors } = outlineOf(read('docs/operations.md'));
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(anchors, alert).toContain(alert.toLowerCase());
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createLogger } from '../src/server/platform/logger.ts';
import { METRICS } from '../src/server/platform/metrics.ts';
import { createPrometheus } from '../src/server/platform/prometheus.ts';

const page = readFileSync('docs/operations.md', 'utf8');

/** What stands in backticks in the first column of a table below a heading. */
function firstColumn(heading: string): string[] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/** What the product's code says to its log: each event by its words, where it says something that it has counted with `…`. */
function logged(): { events: Set<string>; fields: Set<string> } {
  const events = new Set<string>();
  const fields = new Set<string>(['level', 'time', 'pid', 'hostname', 'msg', 'reqId']);
  const files = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('src/server', name));
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) fromCall(node, source);
      // Work in the background is given the words for its failure.
      if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'failure') add(node.initializer);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { events, fields };

  function add(node: ts.Node | undefined): void {
    if (node === undefined) return;
    if (ts.isStringLiteralLike(node)) events.add(node.text);
    else if (ts.isTemplateExpression(node)) events.add(`${node.head.text}…`);
  }

  function fromCall({ expression, arguments: given }: ts.CallExpression, source: ts.SourceFile): void {
    if (ts.isIdentifier(expression) && expression.text === 'report' && given.length === 1) add(given[0]);
    if (!ts.isPropertyAccessExpression(expression) || !LEVELS.includes(expression.name.text)) return;
    if (!/(^|\.)log(ger)?$/.test(expression.expression.getText(source))) return;
    add(given.at(-1));
    const [first] = given;
    if (first && ts.isObjectLiteralExpression(first)) {
      for (const { name } of first.properties) if (name) fields.add(name.getText(source));
    }
  }
}

it('the page of operations names every event that the log can hold, and no other', () => {
  expect(firstColumn('Events').sort()).toEqual([...logged().events].sort());
});

it('the page of operations names every field of a line', () => {
  expect(firstColumn('Fields')).toEqual(expect.arrayContaining([...logged().fields]));
});

it('the page of operations names every event of the engine with what it tells', () => {
  const source = readFileSync('src/ocr/host/supervisor.ts', 'utf8');
  const union = /export type EngineEvent =([\s\S]*?);\n\n/.exec(source)?.[1] ?? '';
  const names = [...union.matchAll(/name: '([\w-]+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(firstColumn('Events of the engine').sort()).toEqual(names.sort());
  for (const [, field] of union.matchAll(/(\w+): (?:string|number|')/g))
    expect(page).toContain(`\`${field}\``);
});

it('the page of operations names every metric with its labels, and no other', () => {
  expect(firstColumn('Metrics').sort()).toEqual(Object.keys(METRICS).sort());
  for (const [name, { labels }] of Object.entries(METRICS)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
    for (const label of Object.keys(labels)) expect(row, name).toContain(`\`${label}\``);
  }
});

/** All that a server exposes, histograms by the names that are asked for. */
async function exposed(): Promise<Set<string>> {
  const text = await createPrometheus({ version: '0', logger: createLogger('silent') }).text();
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
}

const namesIn = (query: string) => query.match(/\b(glyphlift|nodejs|process)_\w+/g) ?? [];

it('every query of the board and of the alarms asks for what there is', async () => {
  const board = JSON.parse(readFileSync('deploy/grafana/glyphlift.json', 'utf8')) as {
    panels: Array<{ targets?: Array<{ expr: string }> }>;
  };
  const rules = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')) as {
    groups: Array<{ rules: Array<{ expr: string }> }>;
  };
  const queries = [
    ...board.panels.flatMap(({ targets = [] }) => targets),
    ...rules.groups.flatMap((group) => group.rules),
  ].map(({ expr }) => expr);
  expect(queries.length).toBeGreaterThan(25);
  const there = await exposed();
  for (const query of queries) {
    for (const name of namesIn(query)) expect(there.has(name), `${name} in ${query}`).toBe(true);
    // What labels are compared with must be something that they can say.
    for (const [, name = '', matchers = ''] of query.matchAll(
      /(glyphlift_\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/g,
    )) {
      const labels: Readonly<Record<string, readonly string[] | number>> =
        METRICS[name as keyof typeof METRICS].labels;
      for (const [, label = '', said = ''] of matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)) {
        const values = labels[label];
        expect(values, `${label} in ${query}`).toBeDefined();
        if (typeof values === 'number') continue;
        for (const value of said.split('|')) expect(values, query).toContain(value);
      }
    }
  }
});

it('every alarm has a chapter that says what it means and what to do', () => {
  const rules = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
  const alarms = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
  const chapters = [...page.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
  expect(alarms.length).toBeGreaterThan(8);
  expect(chapters).toEqual(alarms);
  for (const name of alarms) expect(rules).toContain(`docs/operations.md#${name.toLowerCase()}`);
});

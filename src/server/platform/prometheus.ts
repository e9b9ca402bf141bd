import { setTimeout as delay } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from './logger.ts';
import { METRICS, type MetricsPage, type Sample } from './metrics.ts';

/** Timeout of a gauge. Prometheus' default scrape timeout is ten seconds. */
const TIMEOUT_MS = 1_000;

/** Default metrics besides `METRICS`: processor, memory, event loop and garbage collection. */
export function createPrometheus({ version, logger }: { version: string; logger: Logger }): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Prometheus reserves `_total` for counters. These are sums of gauges that are also exported by type.
  for (const name of ['resources', 'handles', 'requests']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  const instruments = Object.fromEntries(
    Object.entries(METRICS).map(([name, { kind, help, labels, ...rest }]) => {
      const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
      if (kind === 'counter') return [name, new Counter(options)];
      if (kind === 'gauge') return [name, new Gauge(options)];
      const buckets = 'buckets' in rest ? [...rest.buckets] : [];
      return [name, new Histogram({ ...options, buckets })];
    }),
  );
  const counters = instruments as Record<string, Counter>;
  const histograms = instruments as Record<string, Histogram>;
  const gauges = instruments as Record<string, Gauge>;
  const collectors: Array<() => readonly Sample[] | Promise<readonly Sample[]>> = [
    () => [{ name: 'glyphlift_build_info', labels: { version }, value: 1 }],
  ];
  const limitLabels = createLabelLimit();
  let collecting: Promise<string> | undefined;

  // Counters start at 0, so that `rate` sees their first increment.
  for (const [name, { kind, labels }] of Object.entries(METRICS)) {
    if (kind !== 'counter') continue;
    for (const combination of combinationsOf(labels)) counters[name]?.inc(combination, 0);
  }

  async function collectInto(collect: (typeof collectors)[number]): Promise<void> {
    const done = new AbortController();
    try {
      const timeout = delay(TIMEOUT_MS, undefined, { signal: done.signal }).then(() => {
        throw new Error(`no answer within ${TIMEOUT_MS} ms`);
      });
      const samples = await Promise.race([collect(), timeout]);
      for (const { name, labels, value } of samples) gauges[name]?.set(limitLabels(name, labels), value);
    } catch (error) {
      logger.debug({ err: error }, 'a measurement failed');
    } finally {
      done.abort();
    }
  }

  async function collectAll(): Promise<string> {
    for (const [name, { kind }] of Object.entries(METRICS)) if (kind === 'gauge') gauges[name]?.reset();
    for (const [name, { kind, labels }] of Object.entries(METRICS)) {
      // A missing value is omitted, because 0 would be wrong.
      if (kind === 'gauge' && Object.keys(labels).length === 0) gauges[name]?.remove();
    }
    await Promise.all(collectors.map(collectInto));
    return registry.metrics();
  }

  return {
    contentType: registry.contentType,
    add: (name, labels, by = 1) => counters[name]?.inc(limitLabels(name, labels), by),
    observe: (name, labels, value) => histograms[name]?.observe(limitLabels(name, labels), value),
    addCollector: (collect) => void collectors.push(collect),
    text() {
      collecting ??= collectAll().finally(() => {
        collecting = undefined;
      });
      return collecting;
    },
  };
}

/** Restricts labels to their declared values. */
function createLabelLimit() {
  const seen = new Map<string, Set<string>>();
  return (name: keyof typeof METRICS, labels: Readonly<Record<string, string>>): Record<string, string> => {
    const allowed: Readonly<Record<string, readonly string[] | number>> = METRICS[name].labels;
    const limitedLabels: Record<string, string> = {};
    for (const label in labels) limitedLabels[label] = isKnown(label) ? (labels[label] ?? '') : 'other';
    return limitedLabels;

    function isKnown(label: string): boolean {
      const values = allowed[label];
      const value = labels[label] ?? '';
      if (typeof values !== 'number') return values?.includes(value) ?? false;
      const key = `${name} ${label}`;
      const known = seen.get(key) ?? new Set();
      seen.set(key, known);
      if (known.size < values) known.add(value);
      return known.has(value);
    }
  };
}

function combinationsOf(
  labels: Readonly<Record<string, readonly string[] | number>>,
): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (found, [label, values]) =>
      typeof values === 'number'
        ? []
        : found.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

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
  const made = Object.fromEntries(
    Object.entries(METRICS).map(([name, { kind, help, labels, ...rest }]) => {
      const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
      if (kind === 'counter') return [name, new Counter(options)];
      if (kind === 'gauge') return [name, new Gauge(options)];
      const buckets = 'buckets' in rest ? [...rest.buckets] : [];
      return [name, new Histogram({ ...options, buckets })];
    }),
  );
  const counters = made as Record<string, Counter>;
  const histograms = made as Record<string, Histogram>;
  const gauges = made as Record<string, Gauge>;
  const looks: Array<() => readonly Sample[] | Promise<readonly Sample[]>> = [
    () => [{ name: 'glyphlift_build_info', labels: { version }, value: 1 }],
  ];
  const limited = createLimit();
  let looking: Promise<string> | undefined;

  // Counters start at 0, so that `rate` sees their first increment.
  for (const [name, { kind, labels }] of Object.entries(METRICS)) {
    if (kind !== 'counter') continue;
    for (const combination of combinationsOf(labels)) counters[name]?.inc(combination, 0);
  }

  async function show(look: (typeof looks)[number]): Promise<void> {
    const enough = new AbortController();
    try {
      const late = delay(TIMEOUT_MS, undefined, { signal: enough.signal }).then(() => {
        throw new Error(`no answer within ${TIMEOUT_MS} ms`);
      });
      const readings = await Promise.race([look(), late]);
      for (const { name, labels, value } of readings) gauges[name]?.set(limited(name, labels), value);
    } catch (error) {
      logger.debug({ err: error }, 'a measurement failed');
    } finally {
      enough.abort();
    }
  }

  async function lookAtAll(): Promise<string> {
    for (const [name, { kind }] of Object.entries(METRICS)) if (kind === 'gauge') gauges[name]?.reset();
    for (const [name, { kind, labels }] of Object.entries(METRICS)) {
      // A missing value is omitted, because 0 would be wrong.
      if (kind === 'gauge' && Object.keys(labels).length === 0) gauges[name]?.remove();
    }
    await Promise.all(looks.map(show));
    return registry.metrics();
  }

  return {
    contentType: registry.contentType,
    add: (name, labels, by = 1) => counters[name]?.inc(limited(name, labels), by),
    observe: (name, labels, value) => histograms[name]?.observe(limited(name, labels), value),
    ask: (look) => void looks.push(look),
    text() {
      looking ??= lookAtAll().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

/** Restricts labels to their declared values. */
function createLimit() {
  const seen = new Map<string, Set<string>>();
  return (name: keyof typeof METRICS, labels: Readonly<Record<string, string>>): Record<string, string> => {
    const allowed: Readonly<Record<string, readonly string[] | number>> = METRICS[name].labels;
    const kept: Record<string, string> = {};
    for (const label in labels) kept[label] = isKnown(label) ? (labels[label] ?? '') : 'other';
    return kept;

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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from './logger.ts';
import type { MetricsPage } from './metrics.ts';
import { NO_TRACING, type Tracing } from './tracing.ts';

export interface ObservabilitySettings {
  metrics: 'on' | 'off';
  otelEndpoint: string | undefined;
  otelServiceName: string | undefined;
  /** 0 to 1. */
  otelShare: number;
}

interface ProcessInfo {
  /** Default service name in traces. */
  process: string;
  root: string;
  logger: Logger;
}

/** Metrics and tracing of this process. Their modules are loaded only if they are enabled. */
export async function openObservability(
  { metrics, otelEndpoint, otelServiceName, otelShare }: ObservabilitySettings,
  { process, root, logger }: ProcessInfo,
): Promise<{ metrics: MetricsPage | undefined; tracing: Tracing }> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    metrics: metrics === 'on' ? await openMetrics() : undefined,
    tracing: otelEndpoint === undefined ? NO_TRACING : await openTracing(otelEndpoint),
  };

  async function openMetrics(): Promise<MetricsPage> {
    const { createPrometheus } = await import('./prometheus.ts');
    return createPrometheus({ version, logger });
  }

  async function openTracing(endpoint: string): Promise<Tracing> {
    const { openTelemetry } = await import('./opentelemetry.ts');
    return openTelemetry({
      endpoint,
      serviceName: otelServiceName ?? process,
      sampleRatio: otelShare,
      version,
      logger,
    });
  }
}

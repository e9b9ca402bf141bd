import { type Engine, residentBytes } from '#ocr';
import type { Config } from './config.ts';
import type { JobContents } from './jobs/job-contents.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import { type AnyDatabase, connectionsOf, pingDatabase } from './platform/database.ts';
import type { MailQueue } from './platform/mail-queue.ts';
import type { Metrics, Sample } from './platform/metrics.ts';
import type { SharedRecognition } from './recognition/redis/shared-recognition.ts';
import type { UploadLimiter } from './recognition/upload/upload-limiter.ts';
import type { WebhookDeliveries } from './webhooks/deliveries.ts';

/** Gauges, read at each scrape only. */

export function showEngine(metrics: Metrics, engine: Engine): void {
  metrics.addCollector(async () => {
    const { state, pid, confinement } = engine.status();
    const samples: Sample[] = [
      { name: 'glyphlift_engine_ready', labels: {}, value: state === 'ready' ? 1 : 0 },
    ];
    for (const layer of confinement?.on ?? []) {
      samples.push({ name: 'glyphlift_engine_wall', labels: { wall: layer }, value: 1 });
    }
    for (const layer of Object.keys(confinement?.off ?? {})) {
      samples.push({ name: 'glyphlift_engine_wall', labels: { wall: layer }, value: 0 });
    }
    const bytes = pid === undefined ? 0 : await residentBytes(pid);
    if (bytes > 0) samples.push({ name: 'glyphlift_engine_resident_memory_bytes', labels: {}, value: bytes });
    return samples;
  });
}

/** Gauges of the local or the shared queue. */
export function showQueue(
  metrics: Metrics,
  engine: Engine,
  shared: SharedRecognition | undefined,
  { ocrQueueLimit }: Pick<Config, 'ocrQueueLimit'>,
): void {
  const waiting = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(
      ([priority, value]): Sample => ({ name: 'glyphlift_queue_pictures', labels: { priority }, value }),
    );
  metrics.addCollector(() => [{ name: 'glyphlift_queue_limit_pictures', labels: {}, value: ocrQueueLimit }]);
  if (!shared) {
    metrics.addCollector(() => waiting(engine.status().waitingBy));
    return;
  }
  metrics.addCollector(async () => {
    const { workers, waiting: counts } = await shared.engine.liveStatus();
    return [...waiting(counts), { name: 'glyphlift_workers', labels: {}, value: workers }];
  });
  showUp(metrics, 'glyphlift_redis_up', () => shared.ping());
}

export function showDatabase(metrics: Metrics, database: AnyDatabase): void {
  // Reads the pool before other queries, so that the scrape does not count itself as waiting.
  metrics.addCollector(() =>
    Object.entries(connectionsOf(database) ?? {}).map(
      ([state, value]): Sample => ({ name: 'glyphlift_database_connections', labels: { state }, value }),
    ),
  );
  showUp(metrics, 'glyphlift_database_up', () => pingDatabase(database));
}

export function showMails(metrics: Metrics, mails: MailQueue): void {
  metrics.addCollector(async () => [
    { name: 'glyphlift_mails_waiting', labels: {}, value: await mails.waiting() },
  ]);
}

export function showJobs(
  metrics: Metrics,
  runner: Pick<JobRunner, 'runningJobs'>,
  contents: Pick<JobContents, 'usedBytes'>,
): void {
  metrics.addCollector(() => [{ name: 'glyphlift_jobs_under_way', labels: {}, value: runner.runningJobs() }]);
  metrics.addCollector(async () => [
    { name: 'glyphlift_job_bytes', labels: {}, value: await contents.usedBytes() },
  ]);
}

export function showWebhooks(metrics: Metrics, webhooks: Pick<WebhookDeliveries, 'waiting'>): void {
  metrics.addCollector(async () => [
    { name: 'glyphlift_webhooks_waiting', labels: {}, value: await webhooks.waiting() },
  ]);
}

export function showUploads(
  metrics: Metrics,
  uploadLimiter: UploadLimiter,
  { uploadMemoryMb }: Pick<Config, 'uploadMemoryMb'>,
): void {
  metrics.addCollector(() => {
    const { uploads, bytes } = uploadLimiter.held();
    return [
      { name: 'glyphlift_uploads_in_flight', labels: {}, value: uploads },
      { name: 'glyphlift_upload_bytes', labels: {}, value: bytes },
      { name: 'glyphlift_upload_limit_bytes', labels: {}, value: uploadMemoryMb * 2 ** 20 },
    ];
  });
}

/** Timeout of a component, less than that of a scrape. */
const TIMEOUT_MS = 500;

export function showUp(
  metrics: Metrics,
  name: 'glyphlift_redis_up' | 'glyphlift_database_up',
  ping: () => Promise<void>,
): void {
  metrics.addCollector(async () => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<number>((resolve) => {
      timer = setTimeout(() => resolve(0), TIMEOUT_MS);
    });
    const answered = ping().then(
      () => 1,
      () => 0,
    );
    const value = await Promise.race([answered, timeout]);
    clearTimeout(timer);
    return [{ name, labels: {}, value }];
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { FIXTURE_TEXT, fixture } from '../../tests/support/pictures.ts';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';

/** Logs, metrics and traces of one request through a real server, Redis and a real worker. */

interface Line {
  msg?: string;
  reqId?: string;
  port?: number;
  pid?: number;
}

interface TracedSpan {
  name: string;
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

class Process {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;
  #received = () => {};

  constructor(file: string, env: Record<string, string>) {
    this.child = spawn(process.execPath, [compiledFileOf(file)], {
      env: { PATH: process.env.PATH, OCR_CONCURRENCY: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.lines.push(JSON.parse(line));
      this.#received();
    });
  }

  async waitForLog(words: string): Promise<Line> {
    for (;;) {
      const found = this.lines.find(({ msg }) => msg?.includes(words));
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#received = resolve;
      });
    }
  }

  about = (id: string) => this.lines.filter(({ reqId }) => reqId === id);

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}

let redis: RedisServer;
let dataDir: string;
let collector: Server;
const collected: string[] = [];
const processes: Process[] = [];

beforeAll(async () => {
  redis = await startRedis();
  dataDir = await mkdtemp(join(tmpdir(), 'glyphlift-two-'));
  collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/v1/traces') collected.push(body);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterAll(async () => {
  for (const { child } of processes) if (child.exitCode === null) child.kill('SIGKILL');
  collector.close();
  await redis.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The checked parts of an OTLP/JSON request. */
interface Export {
  resourceSpans: Array<{
    resource: { attributes: Array<{ key: string; value: { stringValue: string } }> };
    scopeSpans: Array<{ spans: Array<Omit<TracedSpan, 'service'>> }>;
  }>;
}

function spans(): TracedSpan[] {
  return collected.flatMap((body) =>
    (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const named = resource.attributes.find(({ key }) => key === 'service.name');
      const service = named?.value.stringValue ?? '';
      return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
    }),
  );
}

it('request id and trace connect server, queue, worker and recognition process', async () => {
  const traced = {
    REDIS_URL: redis.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  };
  const worker = new Process('src/server/worker.ts', {
    ...traced,
    DATA_DIR: dataDir,
    WORKER_METRICS_PORT: '0',
  });
  const web = new Process('src/server/main.ts', {
    ...traced,
    DATA_DIR: dataDir,
    NODE_ENV: 'development',
    PORT: '0',
  });
  processes.push(worker, web);
  const { port: workersPort } = await worker.waitForLog('reports its health');
  await worker.waitForLog('worker is ready');
  const { port } = await web.waitForLog('Glyphlift is ready');
  const origin = `http://127.0.0.1:${port}`;
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200);

  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(fixture('harbour-lights.png'))]), 'secret-name.png');
  const answer = await fetch(`${origin}/api/extract-text`, { method: 'POST', body: form });
  expect(extractionSchema.parse(await answer.json()).extractedText).toBe(FIXTURE_TEXT);
  const id = answer.headers.get('x-request-id') ?? '';

  const workers = await (await fetch(`http://127.0.0.1:${workersPort}/metrics`)).text();
  expect(workers).toContain('glyphlift_engine_pictures_total{kind="text",outcome="done"} 1');
  for (const stage of ['decoding', 'finding-lines', 'reading', 'ordering'])
    expect(workers).toContain(`glyphlift_engine_stage_duration_seconds_count{stage="${stage}"} 1`);
  expect(workers).toMatch(/^glyphlift_engine_resident_memory_bytes \d{8,}$/m);
  expect(workers).toContain('glyphlift_redis_up 1');
  const webs = await (await fetch(`${origin}/metrics`)).text();
  expect(webs).toContain('glyphlift_extractions_total{outcome="read"} 1');
  expect(webs).toContain('glyphlift_queue_wait_seconds_count{priority="free"} 1');
  expect(webs).toContain('glyphlift_queue_pictures{priority="premium"} 0');
  expect(webs).toContain('glyphlift_workers 1');
  expect(webs).toContain('glyphlift_redis_up 1');

  await web.waitForLog('answered');
  await Promise.all([web.end(), worker.end()]);
  expect(web.about(id).map(({ msg }) => msg)).toEqual(['a picture waits for a worker', 'answered']);
  expect(worker.about(id).map(({ msg }) => msg)).toEqual([
    'a picture was taken from the queue',
    'a picture left the recognition process',
  ]);
  expect(worker.about(id).at(-1)?.pid).not.toBe(worker.child.pid);

  const all = spans();
  const isOfRequest = ({ name }: TracedSpan) => name === 'POST /api/extract-text';
  const request = all.find(isOfRequest)!;
  const trace = all.filter(({ traceId }) => traceId === request.traceId);
  const ways = trace
    .map((span) => {
      const way = [];
      for (let at: TracedSpan | undefined = span; at; ) {
        const { name, service, parentSpanId }: TracedSpan = at;
        way.unshift(service === 'glyphlift-worker' ? `worker’s ${name}` : name);
        at = trace.find(({ spanId }) => spanId === parentSpanId);
      }
      return way.join(' > ');
    })
    .filter((way) => !way.endsWith('database'));
  const reading = 'POST /api/extract-text > recognize > worker’s recognize';
  expect(ways.sort()).toEqual(
    [
      'POST /api/extract-text',
      'POST /api/extract-text > reserve',
      'POST /api/extract-text > recognize',
      'POST /api/extract-text > recognize > hand over',
      'POST /api/extract-text > recognize > queue',
      'POST /api/extract-text > commit',
      reading,
      `${reading} > worker’s queue`,
      `${reading} > worker’s read`,
      ...['decoding', 'finding-lines', 'reading', 'ordering'].map(
        (stage) => `${reading} > worker’s read > worker’s ${stage}`,
      ),
    ].sort(),
  );
  const parts = new Map(trace.map(({ spanId, name }) => [spanId, name]));
  const databaseParts = trace
    .filter(({ name }) => name === 'database')
    .map(({ parentSpanId = '' }) => parts.get(parentSpanId));
  expect(databaseParts).toEqual(expect.arrayContaining(['reserve', 'commit']));

  const recorded = JSON.stringify([web.lines, worker.lines, collected, workers, webs]);
  for (const secret of ['Harbour', 'secret-name', redis.url])
    expect(recorded.includes(secret), secret).toBe(false);
});

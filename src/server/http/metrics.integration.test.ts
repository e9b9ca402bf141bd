import { describe, expect, it } from 'vitest';
import {
  createVisitor,
  METRICS_TOKEN,
  pictureForm,
  serversOfEachTest,
  type TestServer,
} from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';

const start = serversOfEachTest();

const TOKEN = { authorization: `Bearer ${METRICS_TOKEN}` };
const PUBLIC = { HOST: '0.0.0.0', PUBLIC_URL: 'https://glyphlift.example' };

async function metricsOf({ app }: TestServer): Promise<string> {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: TOKEN });
  expect(statusCode).toBe(200);
  return body;
}

/** The value of one series with the given labels. */
function countOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('metrics', () => {
  it('count requests, extractions and mails, without personal data', async () => {
    const marker = 'MARKER-of-a-private-text';
    const server = await start({
      env: PUBLIC,
      engine: new MemoryEngine(async () => recognitionOf(`${marker} read`)),
    });
    const visitor = createVisitor(server.app, '203.0.113.77');
    const form = pictureForm({ useFiltering: 'true' }, new Uint8Array(Buffer.from(marker)));
    const answer = await visitor.upload(form, { 'user-agent': marker, 'idempotency-key': marker });
    expect(answer.json().extractedText).toContain(marker);
    await visitor.get(`/${marker}?query=${marker}`, { referer: `https://${marker}.example` });
    const join = { email: `${marker}@private.example` };
    await visitor.send({ method: 'POST', url: '/api/waitlist', payload: join });

    const text = await metricsOf(server);
    expect(countOf(text, 'glyphlift_extractions_total{outcome="read"}')).toBe(1);
    expect(countOf(text, 'glyphlift_engine_pictures_total{kind="text",outcome="done"}')).toBe(1);
    const uploads = '{method="POST",route="/api/extract-text",status="2xx"}';
    expect(countOf(text, `glyphlift_http_request_duration_seconds_count${uploads}`)).toBe(1);
    expect(countOf(text, 'glyphlift_queue_wait_seconds_count{priority="free"}')).toBe(1);
    expect(countOf(text, 'glyphlift_engine_stage_duration_seconds_count{stage="decoding"}')).toBe(1);
    expect(countOf(text, 'glyphlift_database_up')).toBe(1);
    expect(countOf(text, 'glyphlift_uploads_in_flight')).toBe(0);
    for (const secret of [
      marker,
      marker.toLowerCase(),
      '203.0.113',
      'private',
      visitor.cookies.values().next().value,
    ]) {
      expect(text.includes(secret ?? '?'), secret).toBe(false);
    }
    expect(text).not.toContain('glyphlift_redis_up 0');
  });

  it('follow Prometheus naming: exactly the counters end in _total', async () => {
    const text = await metricsOf(await start({ env: PUBLIC }));
    const kinds = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', kind]) => ({ name, kind }));
    expect(kinds.length).toBeGreaterThan(20);
    for (const { name, kind } of kinds) expect(kind === 'counter', name).toBe(name.endsWith('_total'));
  });

  it('count rejected extractions and requests by code, quota included', async () => {
    const server = await start({ env: { FREE_DAILY_LIMIT: '0' } });
    expect((await createVisitor(server.app).upload()).statusCode).toBe(429);
    const text = await metricsOf(server);
    expect(countOf(text, 'glyphlift_extractions_total{outcome="quota_used_up"}')).toBe(1);
    expect(countOf(text, 'glyphlift_refusals_total{code="recognition.quota_used_up"}')).toBe(1);
    expect(countOf(text, 'glyphlift_refusals_total{code="http.failed"}')).toBe(0);
  });

  it('do not grow with a thousand invented paths', async () => {
    const server = await start({ env: { RATE_LIMIT_PER_MINUTE: '100000', PAGE_LIMIT_PER_MINUTE: '100000' } });
    const { app } = server;
    const methods = ['GET', 'POST', 'PROPFIND', 'DELETE'] as const;
    const ask = (at: number) =>
      app.inject({
        method: methods[at % 4] as 'GET',
        url: `${at % 3 ? '/api' : ''}/odd-${at}/${at * 7}.php?q=${at}`,
      });
    const seriesIn = (text: string) =>
      text.split('\n').filter((line) => line.includes('http_request')).length;
    for (let at = 0; at < 50; at++) await ask(at);
    const before = seriesIn(await metricsOf(server));
    for (let at = 50; at < 1_050; at++) await ask(at);
    const text = await metricsOf(server);
    expect(seriesIn(text) - before).toBeLessThan(20);
    expect(text).not.toContain('odd-');
    expect(text).not.toContain('PROPFIND');
  });

  it('are available on this machine and with the token; other callers get 404', async () => {
    const own = await start();
    const open = await start({ env: PUBLIC });
    const ask = async ({ app }: TestServer, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await app.inject({ url: '/metrics', headers, remoteAddress })).statusCode;
    expect(await ask(own, {})).toBe(200);
    expect(await ask(own, { 'x-forwarded-for': '203.0.113.7' })).toBe(404);
    expect(await ask(own, { host: 'rebound.example' })).toBe(404);
    expect(await ask(own, {}, '203.0.113.7')).toBe(404);
    // Behind a proxy on the same machine, all requests come from localhost.
    expect(await ask(open, { host: '127.0.0.1:3000' })).toBe(404);
    expect(await ask(open, { authorization: `Bearer ${METRICS_TOKEN}x` })).toBe(404);
    expect(await ask(open, { authorization: METRICS_TOKEN })).toBe(404);
    expect(await ask(open, TOKEN, '203.0.113.7')).toBe(200);
    expect(await ask(open, { ...TOKEN, 'x-forwarded-for': '203.0.113.7' })).toBe(200);
  });

  it('get 404 if they are switched off', async () => {
    const server = await start({ env: { METRICS: 'off' } });
    expect((await server.app.inject({ url: '/metrics', headers: TOKEN })).statusCode).toBe(404);
  });

  it('are served despite rate limits and while the server stops, and are not in the OpenAPI document', async () => {
    const server = await start({ env: { RATE_LIMIT_PER_MINUTE: '1' }, isStopping: () => true });
    for (let at = 0; at < 20; at++) await metricsOf(server);
    expect((await server.app.inject('/api/openapi.json')).body).not.toContain('/metrics');
  });

  it('are served if a dependency does not answer, and name it', async () => {
    const server = await start();
    await server.database.destroy();
    const text = await metricsOf(server);
    expect(countOf(text, 'glyphlift_database_up')).toBe(0);
    expect(countOf(text, 'glyphlift_mails_waiting')).toBeUndefined();
    expect(countOf(text, 'glyphlift_engine_ready')).toBe(1);
  });
});

describe('the id of a request', () => {
  it('is in its response and in every log line about it, rejections and malformed requests included', async () => {
    const { app, log } = await start();
    for (const url of ['/', '/api/usage', '/api/user', '/api/nothing', '/api/%E0%A4%A', '/healthz']) {
      const response = await app.inject(url);
      const id = String(response.headers['x-request-id']);
      expect(id, url).toMatch(/^[\da-f-]{36}$/);
      expect(
        log.some((line) => JSON.parse(line).reqId === id),
        url,
      ).toBe(true);
    }
  });

  it('is taken from a trusted proxy only', async () => {
    const given = 'c0ffee00c0ffee00c0ffee00c0ffee00';
    const nameOf = async (env: Record<string, string>, id: string, remoteAddress: string) => {
      const { app } = await start({ env });
      const response = await app.inject({ url: '/healthz', headers: { 'x-request-id': id }, remoteAddress });
      return response.headers['x-request-id'];
    };
    const behind = { TRUST_PROXY: '10.0.0.0/8' };
    expect(await nameOf(behind, given, '10.1.2.3')).toBe(given);
    expect(await nameOf(behind, given, '203.0.113.7')).not.toBe(given);
    expect(await nameOf({}, given, '127.0.0.1')).not.toBe(given);
    expect(await nameOf(behind, 'not a name\n', '10.1.2.3')).toMatch(/^[\da-f-]{36}$/);
  });
});

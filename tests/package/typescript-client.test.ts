import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { answerFormatSchema } from '#contract/answer-format';
import type { extractionSchema, usageSchema } from '#contract/extraction';
import type { jobResultSchema, jobSchema, jobsResponseSchema, webhookEventSchema } from '#contract/job';
import type { languagesResponseSchema } from '#contract/languages';
import type * as types from '../../clients/typescript/src/index.ts';
import { Glyphlift, verifyWebhook } from '../../clients/typescript/src/index.ts';
import { createEngine } from '../../src/ocr/engine.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { keyOf } from '../support/jobs.ts';
import { createMember, PASSWORD } from '../support/people.ts';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';
import { BASIC_ENGINE } from '../support/real-engines.ts';
import { sharedServer } from '../support/server-app.ts';

const run = promisify(execFile);
const FOLDER = resolve('clients/typescript');

it('the types of the TypeScript client equal those of the contract', () => {
  expectTypeOf<types.Format>().toEqualTypeOf<z.output<typeof answerFormatSchema>>();
  expectTypeOf<types.Extraction>().toEqualTypeOf<z.output<typeof extractionSchema>>();
  expectTypeOf<types.Usage>().toEqualTypeOf<z.output<typeof usageSchema>>();
  expectTypeOf<types.Language[]>().toEqualTypeOf<z.output<typeof languagesResponseSchema>['languages']>();
  expectTypeOf<types.Job>().toEqualTypeOf<z.output<typeof jobSchema>>();
  expectTypeOf<types.JobSummary[]>().toEqualTypeOf<z.output<typeof jobsResponseSchema>['jobs']>();
  expectTypeOf<types.JobResult>().toEqualTypeOf<z.output<typeof jobResultSchema>>();
  expectTypeOf<types.WebhookEvent>().toEqualTypeOf<z.output<typeof webhookEventSchema>>();
});

describe('the TypeScript client', () => {
  const engine = createEngine(BASIC_ENGINE);
  // The client checks the time of webhooks.
  const server = sharedServer({
    engine,
    clock: systemClock,
    env: { WEBHOOK_TARGETS: 'anywhere', RATE_LIMIT_PER_MINUTE: '1000' },
  });
  const picture = new Uint8Array(fixture('harbour-lights.png'));
  let baseUrl: string;
  let apiKey: string;
  let secret: string;
  let client: Glyphlift;
  beforeAll(async () => {
    baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const owner = await createMember(server.app, 'owner');
    apiKey = await keyOf(owner);
    const made = await owner.post('/api/account/webhook-secret', { currentPassword: PASSWORD });
    ({ secret } = made.json<{ secret: string }>());
    client = new Glyphlift({ baseUrl: `${baseUrl}/`, apiKey });
    await engine.ready();
  });
  afterAll(() => engine.close());

  it('reads a picture, a page of a PDF, and writes files', async () => {
    const { extractedText, lines } = await client.read(picture);
    expect(extractedText).toBe(FIXTURE_TEXT);
    expect(lines[0]?.words[0]?.text).toBe('Harbour');
    const pdf = await client.readAs(new File([picture], 'note.png'), 'pdf');
    expect((await client.read(pdf, { page: 1 })).extractedText).toBe(FIXTURE_TEXT);
    await expect(client.read(pdf)).rejects.toMatchObject({ status: 415, code: 'recognition.pdf' });
    expect((await client.usage()).period).toBe('month');
    expect((await client.languages())[0]?.code).toBe('eng');
  });

  it('creates a job, waits for it, and deletes it', async () => {
    const { id } = await client.createJob([picture, new Blob([picture])]);
    await expect(client.wait(id, { timeoutMs: 0 })).rejects.toMatchObject({ name: 'JobTimeout' });
    const job = await client.wait(id, { timeoutMs: 120_000 });
    expect([job.state, job.counts.done]).toEqual(['done', 2]);
    const { pages } = await client.result(id);
    expect(pages.map(({ result }) => result.extractedText)).toEqual([FIXTURE_TEXT, FIXTURE_TEXT]);
    expect(await (await client.resultAs(id, 'text')).text()).toBe(`${FIXTURE_TEXT}\n\f${FIXTURE_TEXT}`);
    expect((await client.jobs()).map((one) => one.id)).toContain(id);
    await createUnreliableClient().client.deleteJob(id);
    await expect(client.job(id)).rejects.toMatchObject({ status: 404, code: 'http.not_found' });
  });

  /** A client with a failing connection: the server gets each request, but the first response is lost. */
  function createUnreliableClient() {
    const keys: (string | null)[] = [];
    const unlucky = new Glyphlift({
      baseUrl,
      apiKey,
      async fetch(...given) {
        const answer = await fetch(...given);
        keys.push(new Headers(given[1]?.headers).get('idempotency-key'));
        if (keys.length > 1) return answer;
        await answer.arrayBuffer();
        throw new TypeError('the line broke');
      },
    });
    return { client: unlucky, keys };
  }

  it('repeats a call without a response with the same key, and it counts once', async () => {
    const { imageCount } = await client.usage();
    const { client: unlucky, keys } = createUnreliableClient();
    const fresh = new Blob([picture, ' never read before']);
    expect((await unlucky.read(fresh)).extractedText).toBe(FIXTURE_TEXT);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await client.usage()).imageCount).toBe(imageCount + 1);
  });

  it.each([
    [503, '0', 2],
    [429, '7200', 1],
    [422, '0', 1],
  ])('after %i with Retry-After: %s sends %i requests', async (status, wait, times) => {
    let asked = 0;
    const busy = new Glyphlift({
      baseUrl,
      apiKey,
      maxRetries: 1,
      async fetch() {
        asked += 1;
        const body = { error: 'Please wait', code: 'recognition.queue_full' };
        return Response.json(body, { status, headers: { 'retry-after': wait } });
      },
    });
    await expect(busy.usage()).rejects.toMatchObject({
      code: 'recognition.queue_full',
      retryAfter: Number(wait),
    });
    expect(asked).toBe(times);
  });

  it('ends a call that is aborted, and does not repeat it', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.read(picture, { signal })).rejects.toThrow('enough');
  });

  it('verifies a webhook of the server, and rejects a changed one', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      response.writeHead(204).end();
      receiver.emit('received');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const webhookReceived = once(receiver, 'received');
    const { id } = await client.createJob([picture], { webhook: `http://127.0.0.1:${port}/` });
    await webhookReceived;
    receiver.close();
    await client.deleteJob(id);
    const sent = { secret, ...received[0]! };
    expect((await verifyWebhook(sent)).data).toMatchObject({ id, state: 'done' });
    for (const [changed, why] of [
      [{ secret: 'whsec_YW5vdGhlciBzZWNyZXQ=' }, 'signature'],
      [{ body: `${sent.body} ` }, 'signature'],
      [{ headers: { ...sent.headers, 'webhook-signature': 'v1,???' } }, 'signature'],
      [{ now: Date.now() + 400_000 }, 'too far'],
      [{ headers: { ...sent.headers, 'webhook-id': undefined } }, 'webhook-id is missing'],
    ] as const) {
      await expect(verifyWebhook({ ...sent, ...changed })).rejects.toThrow(why);
    }
  });

  it('is built, packed and imported by another project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'glyphlift-typescript-'));
    try {
      await cp(FOLDER, join(folder, 'client'), { recursive: true });
      const compiler = resolve('node_modules/typescript-native/bin/tsc');
      await run(process.execPath, [compiler, '-p', join(folder, 'client', 'tsconfig.json')]);
      const { stdout: packed } = await run(
        'npm',
        ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, join(folder, 'client')],
        { cwd: folder },
      );
      const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
      expect(files.map(({ path }) => path)).toContain('dist/index.js');
      expect(files.filter(({ path }) => path.startsWith('src'))).toEqual([]);
      await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--offline', filename], {
        cwd: folder,
      });
      await writeFile(
        join(folder, 'read.ts'),
        `import { Glyphlift, type Extraction } from 'glyphlift-client';
        const [baseUrl = '', apiKey = '', base64 = ''] = (globalThis as unknown as { given: string[] }).given;
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const { extractedText }: Extraction = await new Glyphlift({ baseUrl, apiKey }).read(bytes);
        const text: string = extractedText;
        console.log(text);`,
      );
      const strictly = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
      await run(process.execPath, [compiler, ...strictly, 'read.ts'], { cwd: folder });
      const given = JSON.stringify([baseUrl, apiKey, Buffer.from(picture).toString('base64')]);
      await writeFile(join(folder, 'start.js'), `globalThis.given = ${given};\nawait import('./read.js');`);
      const { stdout } = await run(process.execPath, ['start.js'], { cwd: folder });
      expect(stdout.trim()).toBe(FIXTURE_TEXT);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

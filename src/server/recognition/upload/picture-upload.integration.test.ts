import { describe, expect, it } from 'vitest';
import { EXAMPLE_PICTURE, type Extraction } from '#contract/extraction';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { keyOf } from '../../../../tests/support/jobs.ts';
import { createMember } from '../../../../tests/support/people.ts';
import { createRawClient } from '../../../../tests/support/raw-http.ts';
import { encodeForm, pictureForm, sharedServer } from '../../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../../tests/support/server-engine.ts';

/* All kinds of uploads. The fake engine returns its input. */

const seen: unknown[] = [];
const engine = new MemoryEngine(async (picture, { filter, languages, page }) => {
  const text = Buffer.from(picture).toString('latin1');
  seen.push({ text: text.slice(0, 30), filter, languages, page });
  return recognitionOf(text.slice(0, 30));
});
const server = sharedServer({
  engine,
  env: { FREE_DAILY_LIMIT: '100', RATE_LIMIT_PER_MINUTE: '1000' },
});

const PDF = '%PDF-1.7 a document';

function send(
  type: string,
  payload: string | Buffer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  return server.app.inject({
    method: 'POST',
    url: `/api/extract-text${query}`,
    payload,
    headers: { 'content-type': type, ...headers },
    remoteAddress: '203.0.113.44',
  });
}
const sendJson = (body: unknown, options?: Parameters<typeof send>[2]) =>
  send('application/json', JSON.stringify(body), options);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('extract-text: an image', () => {
  it.each([
    ['as the body', () => send('image/png', 'a picture')],
    ['as the body of another kind of picture', () => send('image/heic', 'a picture')],
    ['in JSON', () => sendJson({ image: base64('a picture') })],
    ['in JSON as a data: address', () => sendJson({ image: `data:image/png;base64,${base64('a picture')}` })],
    ['in JSON, in lines', () => sendJson({ image: base64('a picture').replace(/(.{5})/g, '$1\r\n') })],
    [
      'in JSON, as URL-safe Base64 without padding',
      () => sendJson({ image: Buffer.from('a picture').toString('base64url') }),
    ],
  ])('%s is read like an image in a form', async (_way, sent) => {
    const answer = await sent();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json<Extraction>().extractedText).toBe('a picture');
    expect(seen.at(-1)).toMatchObject({ filter: true, languages: ['eng'], page: undefined });
  });

  it('as the body: takes its options from the query', async () => {
    const query = '?useFiltering=false&languages=eng&page=2&format=text';
    const answer = await send('image/tiff', 'a picture', { query });
    expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain;charset=utf-8', 'a picture']);
    expect(seen.at(-1)).toMatchObject({ filter: false, page: 2 });
  });

  it('in JSON: takes its options from the JSON, then from the query', async () => {
    const body = { image: base64('a picture'), useFiltering: false, format: 'text', name: 'note.png' };
    const answer = await sendJson(body, { query: '?useFiltering=true&page=3&format=markdown' });
    expect(answer.headers['content-type']).toBe('text/plain;charset=utf-8');
    expect(seen.at(-1)).toMatchObject({ filter: false, page: 3 });
  });

  it('as a form: takes its options from the form, then from the query', async () => {
    const { body, type } = await encodeForm(pictureForm({ page: '2' }));
    const answer = await send(type, body, { query: '?page=9&useFiltering=false' });
    expect(answer.statusCode).toBe(200);
    expect(seen.at(-1)).toMatchObject({ filter: false, page: 2 });
  });

  it('from the OpenAPI example is valid and counted', async () => {
    const member = await createMember(server.app, 'member');
    const headers = { authorization: `Bearer ${await keyOf(member)}` };
    const { content } = (await server.app.inject('/api/openapi.json')).json().paths['/api/extract-text'].post
      .requestBody;
    const answer = await sendJson(content['application/json'].example, { headers });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(seen.at(-1)).toMatchObject({ text: expect.stringMatching(/^.PNG/), filter: false });
    expect((await member.usage()).imageCount).toBe(1);
    expect(Buffer.from(EXAMPLE_PICTURE, 'base64').toString('base64')).toBe(EXAMPLE_PICTURE);
  });
});

describe('extract-text: a PDF', () => {
  it.each([
    ['as the body', () => send('application/pdf', PDF, { query: '?page=4' })],
    ['in JSON', () => sendJson({ image: base64(PDF), page: 4 })],
  ])('%s is read with a page number', async (_way, sent) => {
    const answer = await sent();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(seen.at(-1)).toMatchObject({ text: PDF, page: 4 });
  });

  it('pages of one document are charged separately', async () => {
    const member = await createMember(server.app, 'reader');
    const headers = { authorization: `Bearer ${await keyOf(member)}` };
    for (const page of [1, 2, 2]) await send('application/pdf', PDF, { query: `?page=${page}`, headers });
    expect((await member.usage()).imageCount).toBe(2);
  });

  it.each([
    ['without a page', () => send('application/pdf', PDF), /set page to the page/],
    [
      'with a PDF as requested format',
      async () => {
        const headers = { authorization: `Bearer ${await keyOf(await createMember(server.app, 'pdf'))}` };
        return send('application/pdf', PDF, {
          query: '?page=1',
          headers: { ...headers, accept: 'application/pdf' },
        });
      },
      /keeps the pages as they are/,
    ],
  ])('%s is rejected with the call to use instead', async (_what, sent, error) => {
    const started = engine.started;
    const answer = await sent();
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ code: 'recognition.pdf', error: expect.stringMatching(error) });
    expect(engine.started).toBe(started);
  });
});

describe('extract-text: an invalid request', () => {
  it.each([
    ['no picture in JSON', { languages: 'eng' }, 'recognition.no_file', 400],
    ['JSON that is not an object', ['a picture'], 'recognition.no_file', 400],
    ['invalid Base64', { image: 'a picture!' }, 'recognition.bad_field', 400],
    ['an invalid page', { image: base64('x'), page: 0 }, 'recognition.bad_field', 400],
    ['an unknown format', { image: base64('x'), format: 'rtf' }, 'recognition.bad_field', 400],
    ['a data: address of nothing', { image: 'data:image/png;base64,' }, 'recognition.empty_file', 400],
  ])('%s is rejected with its error code', async (_what, body, code, status) => {
    const answer = await sendJson(body);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it.each([
    ['JSON that ends too early', 'application/json', '{"image":', 'recognition.bad_form', 400],
    ['an empty body', 'image/png', '', 'recognition.empty_file', 400],
    ['text', 'text/plain', 'a picture', 'recognition.not_a_form', 415],
    ['an unsupported media type', 'video/mp4', 'a picture', 'http.unknown_type', 415],
  ])('%s is rejected with its error code', async (_what, type, body, code, status) => {
    const answer = await send(type, body);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it('an image over the limit is rejected with and without a Content-Length', async () => {
    const client = await createRawClient(server.app);
    for (const [type, body] of [
      ['image/png', 'x'.repeat(MAX_IMAGE_BYTES + 1)],
      ['application/json', JSON.stringify({ image: 'A'.repeat(Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 4) })],
    ] as const) {
      for (const withLength of [true, false]) {
        const length = withLength ? `content-length: ${body.length}` : 'transfer-encoding: chunked';
        const sent = withLength ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
        const head = `POST /api/extract-text HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n`;
        const answer = await client.talk(`${head}content-type: ${type}\r\n${length}\r\n\r\n${sent}`);
        expect(answer.slice(0, 300), `${type} ${withLength}`).toMatch(/^HTTP\/1.1 413 /);
        expect(answer).toContain('recognition.image_too_large');
      }
    }
    client.close();
  });
});

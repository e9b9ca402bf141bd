import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { ENGINE_PIXELS } from '#contract/product';
import { createEngine, type Engine } from '#ocr';
import { scanPage } from '../../../../tests/support/documents.ts';
import { blankPng, heicOfNestedBoxes, jpegOfScans } from '../../../../tests/support/hostile-pictures.ts';
import { pdfOf } from '../../../../tests/support/pdf.ts';
import { fixture, textPicture } from '../../../../tests/support/pictures.ts';
import {
  createVisitor,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../../tests/support/server-app.ts';

/** Responses to valid and damaged images, with the real engine. */

let engine: Engine;
let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  engine = createEngine({
    maxPixels: 100_000_000,
    concurrency: 1,
    queueLimit: 8,
    premiumReserve: 0,
    timeoutMs: 60_000,
    languageDirs: [],
  });
  await engine.ready();
  server = await startTestServer({ engine, env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  visitor = createVisitor(server.app);
  await visitor.usage();
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

function upload(bytes: Uint8Array, name = 'picture.png', type = 'image/png') {
  const form = new FormData();
  form.append('useFiltering', 'true');
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return visitor.upload(form);
}

describe('a picture that cannot be read', () => {
  const png = fixture('harbour-lights.png');
  const text = (content: string) => Buffer.from(content);

  it.each<[string, number, () => Uint8Array | Promise<Uint8Array>]>([
    ['nothing', 400, () => new Uint8Array()],
    ['text', 415, () => text('just some words, and a few more of them')],
    ['random bytes', 415, () => Buffer.alloc(5000, 'k3s')],
    ['HTML', 415, () => text('<!doctype html><html><body><h1>Hello</h1></body></html>')],
    ['an SVG drawing', 415, () => text('<svg xmlns="http://www.w3.org/2000/svg"><text>Hi</text></svg>')],
    [
      'an SVG drawing behind a declaration',
      415,
      () => text('<?xml version="1.0"?>\n<!-- a -->\n<svg></svg>'),
    ],
    ['a PDF', 415, () => text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF')],
    ['a valid PDF', 415, async () => pdfOf([await scanPage()])],
    ['an archive', 415, () => Buffer.from('504b0304140000000800', 'hex')],
    ['a film', 415, () => Buffer.from('0000001c6674797069736f6d0000020069736f6d69736f32', 'hex')],
    ['the first bytes of a PNG', 422, () => png.subarray(0, 8)],
    [
      'half an interlaced PNG',
      422,
      async () => halved(await textPicture().png({ progressive: true }).toBuffer()),
    ],
    ['a PNG of no size', 422, () => emptyPng(0, 0)],
    ['a PNG of 20,000 × 20,000 pixels', 422, () => emptyPng(20_000, 20_000)],
    ['a PNG with less data than its header claims', 422, () => emptyPng(500, 500)],
    ['half a WebP', 422, async () => halved(await textPicture().webp().toBuffer())],
    ['half a TIFF', 422, async () => halved(await textPicture().tiff().toBuffer())],
    ['a GIF that is a program', 422, () => text('GIF89a/*aaaa*/=1;alert(document.cookie)')],
    ['a GIF of 65,535 × 65,535 pixels', 422, () => Buffer.from('474946383961ffffffff800000', 'hex')],
    ['the head of a bitmap', 422, () => Buffer.from('424d3600000000000000360000002800000001', 'hex')],
    ['half a HEIC', 422, () => halved(fixture('upright.heic'))],
    ['a HEIC of 800,000 boxes in each other', 422, () => heicOfNestedBoxes(800_000)],
    ['a JPEG of 5,000 scans', 422, () => jpegOfScans(5_000, 10_000)],
    [
      'an interlaced PNG of 16 bits and 100 million pixels',
      422,
      () => blankPng(10_000, 10_000, { bits: 16, color: 'rgb', interlaced: true }),
    ],
  ])('of the form "%s" fails with %d and a user message, and costs nothing', async (_case, status, make) => {
    const response = await upload(await make());
    expect([response.statusCode, Object.keys(response.json())]).toEqual([status, ['error', 'code']]);
    expect(response.json().error).toMatch(/(please|select|choose)/i);
    expect((await visitor.usage()).imageCount).toBe(0);
  });
});

it('extract-text: given a PDF without a page number, names the call for all pages; given another file, lists the formats', async () => {
  const document = pdfOf([await scanPage()]);
  const pdf = await upload(document);
  expect(pdf.json()).toEqual({
    error:
      'This is a PDF. Please set page to the page to read, or send it to POST /api/jobs, which reads all of its pages',
    code: 'recognition.pdf',
  });
  const second = await visitor.send({
    method: 'POST',
    url: '/api/extract-text?page=2',
    payload: Buffer.from(document),
    headers: { 'content-type': 'application/pdf' },
  });
  expect(second.json().code).toBe('recognition.no_such_page');
  const text = await upload(Buffer.from('just some words, and a few more of them'));
  expect(text.json().error).toContain('PNG, JPG, WebP, GIF, BMP, TIFF, HEIC or AVIF');
});

describe('a picture that can be read', () => {
  it('is read after all of these failures', async () => {
    const response = await upload(fixture('harbour-lights.png'));
    expect(response.statusCode).toBe(200);
    expect(response.json().extractedText).toContain('Harbour lights');
    expect((await visitor.usage()).imageCount).toBe(1);
  });

  it('is identified by its bytes, not by its name or type', async () => {
    const jpeg = await textPicture().jpeg().toBuffer();
    const response = await upload(jpeg, 'notes.txt', 'text/plain');
    expect(response.statusCode).toBe(200);
    expect(response.json().wordCount).toBeGreaterThan(2);
  });

  it('is downscaled above the same size as in the web client', async () => {
    const notices = async (height: number) => {
      const picture = sharp({ create: { width: 3000, height, channels: 3, background: 'white' } });
      const answer = await upload(await picture.png().toBuffer());
      return extractionSchema.parse(answer.json()).notices.map(({ code }) => code);
    };
    expect(await notices(ENGINE_PIXELS / 3000)).not.toContain('scaled_down');
    expect(await notices(ENGINE_PIXELS / 3000 + 1)).toContain('scaled_down');
  });

  it('with a damaged byte is read as far as it can be decoded, and has a notice', async () => {
    visitor = createVisitor(server.app);
    await visitor.usage();
    const response = await upload(flipped(fixture('harbour-lights.png')));
    expect(response.statusCode).toBe(200);
    expect(response.json().notices).toEqual([expect.objectContaining({ code: 'incomplete' })]);
  });

  it('has a preview that every browser can show', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(fixture('upright.heic'))]), 'upright.heic');
    const encoded = new Response(form);
    const response = await visitor.send({
      method: 'POST',
      url: '/api/preview',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.subarray(1, 4).toString()).toBe('PNG');
  });
});

function halved(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}

/** A well-formed PNG whose header claims a size, with data for one gray pixel. */
function emptyPng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

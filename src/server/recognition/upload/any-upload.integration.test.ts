import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractText, previewPicture } from '#contract/calls/recognition';
import { apiErrorSchema } from '#contract/errors';
import { extractionSchema } from '#contract/extraction';
import { holds } from '../../../../tests/support/properties.ts';
import {
  encodeForm,
  pictureForm,
  startTestServer,
  type TestServer,
} from '../../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../../tests/support/server-engine.ts';

const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  FREE_DAILY_LIMIT: '1000000',
  ADDRESS_LIMIT_FACTOR: '100000',
};

let server: TestServer;
let received: Uint8Array | undefined;
const engine = new MemoryEngine(async (picture) => {
  received = picture;
  return recognitionOf('Hello world');
});
beforeAll(async () => {
  server = await startTestServer({ env: UNLIMITED, engine });
});
afterAll(() => server.close());

const post = (url: string, payload: Buffer, type: string) =>
  server.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

const BOUNDARY = 'a-boundary-of-a-form';
const word = fc.oneof(
  fc.constantFrom(
    'file',
    'useFiltering',
    'languages',
    'extractionId',
    '__proto__',
    'true',
    'eng',
    'eng+deu',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const headerLine = fc.oneof(
  fc
    .tuple(word, fc.option(word))
    .map(
      ([name, file]) =>
        `Content-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}`,
    ),
  fc.constantFrom('Content-Type: image/png', 'Content-Transfer-Encoding: base64', 'X: '.padEnd(3_000, 'x')),
  fc.string({ maxLength: 60 }),
);
const part = fc.record({
  headers: fc.array(headerLine, { minLength: 1, maxLength: 3 }),
  content: fc.oneof(word, fc.string({ minLength: 1_000, maxLength: 1_100 })),
});
/** An invalid or hostile form, truncated anywhere. */
const form = fc
  .tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom('\r\n', '\n'), fc.nat(20_000), fc.boolean())
  .map(([parts, newline, cut, isWhole]) => {
    const text = parts.map(({ headers, content }) =>
      [`--${BOUNDARY}`, ...headers, '', content, ''].join(newline),
    );
    const bytes = Buffer.from(`${text.join('')}--${BOUNDARY}--${newline}`);
    return isWhole ? bytes : bytes.subarray(0, cut);
  });
const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=x',
    ),
  },
);

describe('an upload', () => {
  it.each([extractText.path, previewPicture.path])(
    'to %s with a random form is read, or rejected with an explanation',
    (url) =>
      holds(
        fc.asyncProperty(form, contentType, async (body, type) => {
          const response = await post(url, body, type);
          if (response.statusCode !== 200) {
            expect(response.statusCode).toBeLessThan(500);
            expect(apiErrorSchema.parse(response.json()).error).toMatch(/^[A-Z].{5,}/);
          } else if (url === extractText.path) extractionSchema.parse(response.json());
          else expect(response.headers['content-type']).toBe('image/png');
        }),
        250,
      ),
  );

  it('passes exactly the sent bytes to the engine, for any name and type', () =>
    holds(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 5_000 }),
        // Without a chosen file, browsers send a file without a name.
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        async (picture, name) => {
          const drawn = pictureForm();
          drawn.set('file', new Blob([Uint8Array.from(picture)], { type: 'image/png' }), name);
          const { body, type } = await encodeForm(drawn);
          const response = await post(extractText.path, body, type);
          expect(response.statusCode).toBe(200);
          expect(received && Buffer.compare(received, picture)).toBe(0);
        },
      ),
      120,
    ));
});

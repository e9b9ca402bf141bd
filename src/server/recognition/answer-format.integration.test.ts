import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { getDocumentProxy } from 'unpdf';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ANSWER_FORMATS } from '#contract/answer-format';
import { type Browser, createBrowser, createMember } from '../../../tests/support/people.ts';
import { pictureForm, sharedServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOfTable } from '../../../tests/support/server-engine.ts';
import { formatFor } from './answer-format.ts';

describe('the Accept header', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/problem+json, application/json', 'json'],
    ['application/*', 'json'],
    ['text/plain', 'text'],
    ['text/*', 'text'],
    ['TEXT/Markdown;charset=utf-8', 'markdown'],
    ['application/xhtml+xml', 'hocr'],
    ['application/xml', 'alto'],
    ['application/pdf', 'pdf'],
    ['text/csv', 'csv'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
    ['text/plain;q=0.5, text/markdown;q=0.8', 'markdown'],
    ['text/plain;q=0, */*', 'json'],
    ['application/json;q=0, */*;q=0.1', 'text'],
    ['text/plain;q=0.2, text/*;q=0.9', 'markdown'],
    ['image/png, application/pdf;q=0.1', 'pdf'],
  ] as const)('%j is %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  it.each(['image/png', 'application/json;q=0', 'text/html', 'application/json;q=2'])(
    '%j matches no offered format',
    (accept) => {
      expect(() => formatFor(accept)).toThrow('No media type of Accept is available');
    },
  );
});

describe('an extraction', () => {
  const engine = new MemoryEngine();
  const server = sharedServer({ engine, env: { FREE_DAILY_LIMIT: '100', RATE_LIMIT_PER_MINUTE: '1000' } });
  let free: Browser;
  let member: Browser;
  beforeAll(async () => {
    free = createBrowser(server.app);
    member = await createMember(server.app, 'member');
  });

  it.each([
    ['text', /^Hello world$/],
    ['markdown', /^Hello world\n$/],
    ['hocr', /<span class="ocrx_word"[^>]*x_wconf 95">Hello<\/span>/],
    ['alto', /<String [^>]*CONTENT="Hello"/],
  ] as const)('is returned as %s, for each way to request the format', async (format, looks) => {
    const { type } = ANSWER_FORMATS[format];
    const answers = [
      await free.upload(pictureForm(), { accept: type }),
      await free.upload(pictureForm({ format }), { accept: 'application/pdf' }),
      await uploadTo(free, `/api/extract-text?format=${format}`),
    ];
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers['content-type']).toMatch(new RegExp(`^${type.replace('+', '\\+')}`));
      expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="extracted-text\./);
      expect(answer.headers.vary).toContain('accept');
      expect(answer.body).toMatch(looks);
    }
  });

  it('names the file in one line, without characters that XML does not allow', async () => {
    const form = new FormData();
    form.append('format', 'alto');
    form.append('file', new Blob([new Uint8Array([1])]), `"A & <b>" ${'x'.repeat(300)}.png`);
    const { body } = await free.upload(form);
    const [, name = ''] = /<fileName>(.*)<\/fileName>/.exec(body) ?? [];
    expect(name).toMatch(/A &amp; &lt;b&gt;/);
    expect(name.length).toBeLessThan(260);
  });

  it('without an acceptable format is rejected with a list of formats; nothing is read or counted', async () => {
    const { started } = engine;
    const before = await free.usage();
    const answer = await free.upload(pictureForm(), { accept: 'image/png' });
    expect(answer.statusCode).toBe(406);
    for (const { type } of Object.values(ANSWER_FORMATS)) expect(answer.json().error).toContain(type);
    expect((await free.upload(pictureForm({ format: 'rtf' }))).statusCode).toBe(400);
    expect((await uploadTo(free, '/api/extract-text?format=rtf')).statusCode).toBe(400);
    expect(engine.started).toBe(started);
    expect(await free.usage()).toEqual(before);
  });

  it.each(['pdf', 'docx', 'xlsx'])('is %s for premium only', async (format) => {
    const { started } = engine;
    const refused = await free.upload(pictureForm({ format }));
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'recognition.format_not_in_plan' });
    expect(engine.started).toBe(started);
  });

  it('is a Word file with the text', async () => {
    const answer = await member.upload(pictureForm({ format: 'docx' }));
    expect(answer.headers['content-type']).toBe(ANSWER_FORMATS.docx.type);
    const document = unzipSync(new Uint8Array(answer.rawPayload))['word/document.xml'];
    expect(strFromU8(document!)).toContain('Hello world');
  });

  describe('as a table', () => {
    const withTable = async () =>
      recognitionOfTable([
        ['Tea', '14.00'],
        ['Milk', '2.50'],
      ]);
    const withoutTable = engine.read;
    afterEach(() => {
      engine.read = withoutTable;
    });

    it('is a CSV or a workbook of its cells', async () => {
      engine.read = withTable;
      const csv = await free.upload(pictureForm(), { accept: 'text/csv' });
      expect(csv.headers).toMatchObject({
        'content-type': 'text/csv;charset=utf-8',
        'content-disposition': 'attachment; filename="extracted-text.csv"',
      });
      expect(csv.body).toBe('\ufeffTea,14.00\r\nMilk,2.50\r\n');
      const xlsx = await member.upload(pictureForm({ format: 'xlsx' }));
      const sheet = unzipSync(new Uint8Array(xlsx.rawPayload))['xl/worksheets/sheet1.xml'];
      expect(strFromU8(sheet!)).toContain('<v>14.00</v>');
    });

    it('without a table is rejected and counts nothing; the same call for another format succeeds', async () => {
      const before = await member.usage();
      for (const format of ['csv', 'xlsx']) {
        const answer = await member.upload(pictureForm({ format }), { 'idempotency-key': format });
        expect([answer.statusCode, answer.json().code]).toEqual([422, 'recognition.no_table']);
      }
      expect(await member.usage()).toEqual(before);
      const text = await member.upload(pictureForm({ format: 'text' }), { 'idempotency-key': 'csv' });
      expect(text.body).toBe('Hello world');
      const again = await member.upload(pictureForm({ format: 'csv' }), { 'idempotency-key': 'csv' });
      expect(again.json()).toMatchObject({ code: 'recognition.no_table' });
    });
  });

  describe('as a PDF', () => {
    const drawn = (channels: 1 | 3 | 4) =>
      sharp({
        create: {
          width: 100,
          height: 20,
          channels: channels === 4 ? 4 : 3,
          background: { r: 20, g: 120, b: 220, alpha: 0.5 },
        },
      }).toColourspace(channels === 1 ? 'b-w' : 'srgb');

    /** Text of the page and the image's center pixel, as read by a PDF library. */
    async function pageOf(picture: Buffer) {
      const answer = await member.upload(pictureForm({ format: 'pdf' }, new Uint8Array(picture)));
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers['content-type']).toBe('application/pdf');
      const document = await getDocumentProxy(new Uint8Array(answer.rawPayload));
      const page = await document.getPage(1);
      const { items }: { items: readonly ({ str: string } | { type: string })[] } =
        await page.getTextContent();
      const { fnArray, argsArray } = await page.getOperatorList();
      const at = fnArray.indexOf(85);
      const name = argsArray[at]?.[0];
      const image = await new Promise<{ width: number; height: number; kind: number; data: Uint8Array }>(
        (resolve) => page.objs.get(name, resolve),
      );
      return { text: items.map((item) => ('str' in item ? item.str : '')).join(''), image };
    }

    it('embeds a JPEG and an opaque PNG without encoding them again', async () => {
      let previews = 0;
      engine.draw = async (picture) => {
        previews++;
        return picture;
      };
      for (const picture of [
        await drawn(3).jpeg().toBuffer(),
        await drawn(3).png().toBuffer(),
        await drawn(1).png().toBuffer(),
      ]) {
        const { text, image } = await pageOf(picture);
        expect(text).toMatch(/Hello ?world/);
        expect(image).toMatchObject({ width: 100, height: 20 });
      }
      expect(previews).toBe(0);
    });

    it('encodes any other image again, with a white background', async () => {
      const preview = await drawn(4).png().toBuffer();
      engine.draw = async () => new Uint8Array(preview);
      const { image } = await pageOf(await drawn(3).webp().toBuffer());
      expect(image).toMatchObject({ width: 100, height: 20 });
      expect([...image.data.slice(0, 3)]).toEqual([137, 187, 237]);
    });

    it('costs nothing if the image cannot be rendered', async () => {
      engine.draw = async () => new Uint8Array([1, 2, 3]);
      const before = await member.usage();
      const answer = await member.upload(pictureForm({ format: 'pdf' }));
      expect(answer.statusCode).toBe(500);
      expect(await member.usage()).toEqual(before);
    });
  });
});

async function uploadTo(browser: Browser, url: string) {
  const form = new Response(pictureForm());
  return browser.send({
    method: 'POST',
    url,
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    payload: Buffer.from(await form.arrayBuffer()),
  });
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { extractText, getMeta } from 'unpdf';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANSWER_FORMATS } from '#contract/answer-format';
import { JOB_LIMITS, jobResultSchema, jobSchema } from '#contract/job';
import { OCR_ERRORS, OcrError, PRIORITY } from '#ocr';
import { customPdf } from '../../../tests/support/custom-pdf.ts';
import { eventually } from '../../../tests/support/eventually.ts';
import { type JobProgram, jobForm, jobsOf, keyOf } from '../../../tests/support/jobs.ts';
import { type Browser, createMember, PASSWORD } from '../../../tests/support/people.ts';
import {
  createTestClock,
  encodeForm,
  sharedServer,
  startTestServer,
} from '../../../tests/support/server-app.ts';
import { DEFAULT_DATABASES, describeOnce } from '../../../tests/support/server-databases.ts';
import {
  MemoryEngine,
  recognitionOf,
  recognitionOfTable,
  textOn,
  untilAborted,
} from '../../../tests/support/server-engine.ts';

const HOUR_MS = 3_600_000;
const aborted = () => new OcrError(OCR_ERRORS.aborted, 'given up');

let named = 0;
/** A text that was never recognized before, because repeated ones are free. */
const newText = () => `text ${++named}`;

/** Fake engine: the text in the file decides whether recognition succeeds, fails or blocks. */
const readText: MemoryEngine['read'] = async (bytes, { page, signal }) => {
  const text = textOn(bytes, page);
  if (text.startsWith('damaged')) throw new OcrError(OCR_ERRORS.damaged, 'cut off');
  if (text.startsWith('blank')) return recognitionOf('');
  if (text.startsWith('held')) return untilAborted(signal, aborted);
  return recognitionOf(text);
};

describe.each(DEFAULT_DATABASES)('a job (%s)', (database) => {
  const clock = createTestClock();
  const engine = new MemoryEngine(readText);
  const server = sharedServer({
    database,
    clock,
    engine,
    env: { RATE_LIMIT_PER_MINUTE: '100000', JOB_PAGES_AT_ONCE: '2' },
  });
  let owner: Browser;
  let jobs: JobProgram;
  beforeAll(async () => {
    owner = await createMember(server.app, 'owner');
    jobs = jobsOf(server.app, await keyOf(owner));
  });
  beforeEach(() => {
    engine.read = readText;
  });

  it('is accepted before it is done, reports each page, and has one document as its result', async () => {
    const [one, two] = [newText(), newText()];
    const before = await jobs.usage();
    const sent = await jobs.send(jobForm([one, `pages: 3 ${two}`], { languages: 'eng' }));
    expect(sent.statusCode, sent.body).toBe(202);
    const made = jobSchema.parse(sent.json());
    expect(sent.headers).toMatchObject({ location: `/api/jobs/${made.id}`, 'retry-after': '2' });
    expect(made).toMatchObject({ state: 'queued', files: 2, counts: { total: 0 }, webhook: null });
    const job = await jobs.ended(made.id);
    expect(job).toMatchObject({ state: 'done', counts: { total: 4, done: 4, failed: 0 } });
    expect(job.pages.map(({ number, file, page }) => [number, file, page])).toEqual([
      [1, 1, 1],
      [2, 2, 1],
      [3, 2, 2],
      [4, 2, 3],
    ]);
    const result = jobResultSchema.parse((await jobs.result(job.id)).json());
    expect(result.pages.map((page) => page.result.extractedText)).toEqual([
      one,
      `${two} page 1`,
      `${two} page 2`,
      `${two} page 3`,
    ]);
    expect(await jobs.usage()).toBe(before + 4);
    const asked = await jobs.get(`/api/jobs/${job.id}`);
    expect(asked.headers['retry-after']).toBeUndefined();
  });

  it('has results in every format, each one document of all pages', async () => {
    const picture = new Uint8Array(
      await sharp({ create: { width: 100, height: 20, channels: 3, background: 'white' } })
        .png()
        .toBuffer(),
    );
    engine.read = async (_bytes, { page }) => recognitionOf(`Sheet ${page}`);
    const form = jobForm([]);
    form.append('file', new Blob([picture]), 'first.png');
    form.append('file', new Blob([`pages: 2 ${newText()}`]), 'second.pdf');
    engine.draw = async () => picture;
    const { id } = (await jobs.send(form)).json<{ id: string }>();
    await jobs.ended(id);
    const text = await jobs.result(id, '?format=text');
    expect(text.headers['content-type']).toBe('text/plain;charset=utf-8');
    expect(text.body).toBe('Sheet 1\n\fSheet 1\n\fSheet 2');
    expect((await jobs.result(id, '?format=markdown')).body).toBe(
      'Sheet 1\n\n---\n\nSheet 1\n\n---\n\nSheet 2\n',
    );
    const hocr = await jobs.get(`/api/jobs/${id}/result`, { accept: 'application/xhtml+xml' });
    expect(hocr.body.match(/class="ocr_page"/g)).toHaveLength(3);
    const alto = await jobs.get(`/api/jobs/${id}/result`, { accept: 'application/xml' });
    expect(alto.body.match(/<Page /g)).toHaveLength(3);
    const pdf = await jobs.result(id, '?format=pdf');
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="extracted-text.pdf"',
    });
    expect(pdf.body).toMatch(/^%PDF-.*\/Count 3/s);
    const none = await jobs.get(`/api/jobs/${id}/result`, { accept: 'image/png' });
    expect(none.json()).toMatchObject({ code: 'recognition.format_not_acceptable' });
  });

  describe('with a PDF as result', () => {
    const page = { contents: ['0 0 m 9 9 l S'] };
    const resultOf = async (...files: Uint8Array<ArrayBuffer>[]) => {
      engine.read = async (_bytes, { page: number }) => recognitionOf(`Sheet${number}`);
      engine.pages = async (bytes) => ({
        unit: 'point',
        pages: Array(pagesIn(bytes)).fill({ width: 300, height: 200, hasText: false }),
      });
      const form = jobForm([]);
      for (const file of files) form.append('file', new Blob([file]), 'own.pdf');
      const { id } = (await jobs.send(form)).json<{ id: string }>();
      await jobs.ended(id);
      return jobs.result(id, '?format=pdf');
    };
    const pagesIn = (pdf: Uint8Array) => Buffer.from(pdf).toString('latin1').split('/Type /Page ').length - 1;
    const textOfPdf = async (pdf: Uint8Array) =>
      (await extractText(new Uint8Array(pdf), { mergePages: false })).text.map((text) => text.trim());
    afterEach(() => {
      engine.pages = MemoryEngine.prototype.pages;
    });

    it('given one PDF: adds a text layer and keeps everything else in it', async () => {
      const own = customPdf({
        pages: [page, page],
        catalog: { '/Lang': 'u:en-GB' },
        info: { '/Title': 'u:Mine' },
      });
      const { rawPayload } = await resultOf(own);
      expect(await textOfPdf(rawPayload)).toEqual(['Sheet1', 'Sheet2']);
      expect((await getMeta(new Uint8Array(rawPayload))).info).toMatchObject({
        Title: 'Mine',
        Language: 'en-GB',
      });
    });

    it('given several PDFs: returns one PDF of all their pages', async () => {
      const { rawPayload } = await resultOf(customPdf({ pages: [page, page] }), customPdf({ pages: [page] }));
      expect(await textOfPdf(rawPayload)).toEqual(['Sheet1', 'Sheet2', 'Sheet1']);
    });

    it('given a signed PDF: rejects PDF with the reason, and returns other formats', async () => {
      const signature = { '/FT': '/Sig', '/V': { '/Type': '/Sig' } };
      const signed = customPdf({ pages: [page], catalog: { '/AcroForm': { '/Fields': [signature] } } });
      const refused = await resultOf(signed);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { code: 'jobs.pdf_refused', error: expect.stringContaining('digitally signed') },
      ]);
    });
  });

  it('has CSV and XLSX results if tables were found', async () => {
    engine.read = async (bytes, options) => {
      const text = textOn(bytes, options.page);
      if (!text.endsWith('page 2')) return recognitionOf(text);
      return recognitionOfTable([
        ['Tea', '14.00'],
        ['Milk', '2.50'],
      ]);
    };
    const send = async (text: string) => {
      const { id } = (await jobs.send(jobForm([text]))).json<{ id: string }>();
      await jobs.ended(id);
      return id;
    };
    const id = await send(`pages: 2 ${newText()}`);
    expect((await jobs.result(id, '?format=csv')).body).toBe('\ufeffTea,14.00\r\nMilk,2.50\r\n');
    expect((await jobs.result(id, '?format=markdown')).body).toContain('| Tea');
    for (const format of ['xlsx', 'docx'] as const) {
      const result = await jobs.get(`/api/jobs/${id}/result`, { accept: ANSWER_FORMATS[format].type });
      expect(result.headers['content-disposition']).toBe(`attachment; filename="extracted-text.${format}"`);
      expect([...result.rawPayload.subarray(0, 2)].map((byte) => String.fromCharCode(byte))).toEqual([
        'P',
        'K',
      ]);
    }
    const none = await jobs.result(await send(newText()), '?format=csv');
    expect([none.statusCode, none.json().code]).toEqual([422, 'recognition.no_table']);
  });

  it('continues after a failed page, and charges only pages with text that were not read before', async () => {
    const [fresh, known] = [newText(), newText()];
    const first = await jobs.send(jobForm([known]));
    await jobs.ended(first.json<{ id: string }>().id);
    const before = await jobs.usage();
    const { id } = (
      await jobs.send(jobForm([fresh, `damaged ${newText()}`, `blank ${newText()}`, known]))
    ).json<{
      id: string;
    }>();
    const job = await jobs.ended(id);
    expect(job).toMatchObject({ state: 'done', counts: { total: 4, done: 3, failed: 1 } });
    expect(job.pages[1]).toMatchObject({ state: 'failed', error: 'recognition.damaged' });
    const result = jobResultSchema.parse((await jobs.result(id)).json());
    expect(result.pages.map(({ number }) => number)).toEqual([1, 3, 4]);
    expect(await jobs.usage()).toBe(before + 1);
  });

  it('fails with the reason if no page could be read', async () => {
    const { id } = (await jobs.send(jobForm([`damaged ${newText()}`]))).json<{ id: string }>();
    expect(await jobs.ended(id)).toMatchObject({ state: 'failed', error: 'recognition.damaged' });
    const result = await jobs.result(id);
    expect([result.statusCode, result.json().code]).toEqual([409, 'jobs.no_result']);
  });

  it('reads the given page range of each document, and fails if a document has none of these pages', async () => {
    const fields = { pages: '2-3,7' };
    const { id } = (
      await jobs.send(
        jobForm([`pages: 9 ${newText()}`, `pages: 1 ${newText()}`, `pages: 2 ${newText()}`], fields),
      )
    ).json<{ id: string }>();
    const { pages } = await jobs.ended(id);
    expect(pages.map(({ file, page }) => [file, page])).toEqual([
      [1, 2],
      [1, 3],
      [1, 7],
      [2, 1],
      [3, 2],
    ]);
    const none = (await jobs.send(jobForm([`pages: 5 ${newText()}`], { pages: '6' }))).json<{ id: string }>();
    expect(await jobs.ended(none.id)).toMatchObject({ state: 'failed', error: 'recognition.no_such_page' });
  });

  it('with too many pages fails before any page is read', async () => {
    const before = await jobs.usage();
    const { id } = (await jobs.send(jobForm([`pages: 201 ${newText()}`]))).json<{ id: string }>();
    expect(await jobs.ended(id)).toMatchObject({ state: 'failed', error: 'jobs.too_many_pages' });
    expect(await jobs.usage()).toBe(before);
  });

  it('is visible to its owner only', async () => {
    const { id } = (await jobs.send(jobForm([newText()]))).json<{ id: string }>();
    await jobs.ended(id);
    const other = jobsOf(server.app, await keyOf(await createMember(server.app, `other-${database}`)));
    for (const answer of [
      await other.get(`/api/jobs/${id}`),
      await other.result(id),
      await other.result(id, '?format=pdf'),
      await other.remove(id),
    ])
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'http.not_found']);
    expect((await other.get('/api/jobs')).json()).toEqual({ jobs: [] });
    const own = (await jobs.get('/api/jobs')).json<{ jobs: { id: string }[] }>();
    expect(own.jobs.map((job) => job.id)).toContain(id);
    expect((await jobs.result(id)).statusCode).toBe(200);
  });

  it('repeated with the same Idempotency-Key is the same job, and with other files is rejected', async () => {
    const before = await jobs.usage();
    const key = { 'idempotency-key': `key-${database}` };
    const text = newText();
    const answers = await Promise.all([jobs.send(jobForm([text]), key), jobs.send(jobForm([text]), key)]);
    const again = await jobs.send(jobForm([text]), key);
    const ids = [...answers, again].map((answer) => answer.json<{ id: string }>().id);
    expect(new Set(ids).size).toBe(1);
    expect([...answers, again].map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    await jobs.ended(ids[0]!);
    expect(await jobs.usage()).toBe(before + 1);
    const other = await jobs.send(jobForm([newText()]), key);
    expect([other.statusCode, other.json().code]).toEqual([422, 'recognition.idempotency_key_reused']);
  });

  it('is cancelled by a first DELETE, and removed from the list by a second one', async () => {
    const before = await jobs.usage();
    const { id } = (await jobs.send(jobForm([newText(), `held ${newText()}`]))).json<{ id: string }>();
    await eventually(async () => (await jobs.state(id)).counts.done === 1);
    expect((await jobs.result(id)).json()).toMatchObject({ code: 'jobs.not_ended' });
    expect((await jobs.remove(id)).statusCode).toBe(200);
    expect(await jobs.state(id)).toMatchObject({
      state: 'cancelled',
      counts: { total: 2, done: 1, cancelled: 1 },
    });
    expect((await jobs.result(id)).json()).toMatchObject({ code: 'jobs.no_result' });
    expect(await server.services.jobs.contents.has(id)).toBe(false);
    // The reservation of the running page is released; the finished page counts.
    await expect.poll(jobs.usage).toBe(before + 1);
    expect((await jobs.remove(id)).statusCode).toBe(200);
    expect((await jobs.get(`/api/jobs/${id}`)).statusCode).toBe(404);
  });

  it('loses its result an hour after its end, and is deleted after two days', async () => {
    const { id } = (await jobs.send(jobForm([newText()]))).json<{ id: string }>();
    const { resultUntil } = await jobs.ended(id);
    expect(resultUntil).toBe(new Date(clock.now().getTime() + HOUR_MS).toISOString());
    clock.advance(HOUR_MS);
    const gone = await jobs.result(id);
    expect([gone.statusCode, gone.json().code]).toEqual([410, 'jobs.result_gone']);
    expect((await jobs.state(id)).state).toBe('done');
    clock.advance(47 * HOUR_MS);
    await server.sweep();
    expect((await jobs.get(`/api/jobs/${id}`)).statusCode).toBe(404);
    expect(await server.services.jobs.contents.usedBytes()).toBe(0);
  });

  it('runs with lower priority than interactive extractions', async () => {
    const priorities: (number | undefined)[] = [];
    engine.read = async (bytes, options) => {
      priorities.push(options.priority);
      if (priorities.length < 3) throw new OcrError(OCR_ERRORS.queueFull, 'every place is taken');
      return readText(bytes, options);
    };
    const { id } = (await jobs.send(jobForm([newText()]))).json<{ id: string }>();
    expect((await jobs.ended(id)).state).toBe('done');
    expect(priorities).toEqual([PRIORITY.job, PRIORITY.job, PRIORITY.job]);
  });

  it('writes nothing of its files to the database or the log', async () => {
    const secret = `Zebra quartz ${newText()}`;
    const { id } = (await jobs.send(jobForm([secret]))).json<{ id: string }>();
    await jobs.ended(id);
    const rows = JSON.stringify([
      await server.database.selectFrom('jobs').selectAll().execute(),
      await server.database.selectFrom('job_pages').selectAll().execute(),
    ]);
    for (const part of ['Zebra', 'file-1.png']) {
      expect(rows).not.toContain(part);
      expect(server.log.join('')).not.toContain(part);
    }
  });

  it('is part of the data export, and is deleted with the account even while it runs', async () => {
    const deletedUser = await createMember(server.app, `leaver-${database}`);
    const own = jobsOf(server.app, await keyOf(deletedUser));
    const { id } = (await own.send(jobForm([`held ${newText()}`]))).json<{ id: string }>();
    expect((await deletedUser.get('/api/account/data')).json()).toMatchObject({ jobs: [{ id }] });
    await deletedUser.post('/api/account/delete', {
      username: `leaver-${database}`,
      currentPassword: PASSWORD,
    });
    expect(await server.services.jobs.contents.has(id)).toBe(false);
    expect(await server.database.selectFrom('jobs').select('id').where('id', '=', id).execute()).toEqual([]);
  });
});

describeOnce('a rejected job', () => {
  const engine = new MemoryEngine(readText);
  const server = sharedServer({ engine, env: { RATE_LIMIT_PER_MINUTE: '100000' } });
  let owner: Browser;
  let jobs: JobProgram;
  beforeAll(async () => {
    owner = await createMember(server.app, 'owner');
    jobs = jobsOf(server.app, await keyOf(owner));
  });

  it.each([
    ['no file', [], {}, 400, 'recognition.no_file'],
    ['an empty file', [''], {}, 400, 'recognition.empty_file'],
    ['fifty-one files', Array.from({ length: 51 }, newText), {}, 413, 'jobs.too_many_files'],
    ['a language that is not installed', ['x'], { languages: 'deu' }, 400, 'recognition.language_unknown'],
    ['an invalid page number', ['x'], { pages: '0' }, 400, 'recognition.bad_field'],
    ['an invalid page range', ['x'], { pages: '1;2' }, 400, 'recognition.bad_field'],
    [
      'a webhook to a private address',
      ['x'],
      { webhook: 'https://169.254.169.254/' },
      400,
      'jobs.bad_webhook',
    ],
    ['a webhook without https', ['x'], { webhook: 'http://example.com/' }, 400, 'jobs.bad_webhook'],
    ['a webhook and no secret', ['x'], { webhook: 'https://example.com/' }, 409, 'jobs.no_webhook_secret'],
  ])('given %s: states the reason', async (_what, files, fields, status, code) => {
    const sent = await jobs.send(jobForm(files, fields as Record<string, string>));
    expect([sent.statusCode, sent.json().code]).toEqual([status, code]);
  });

  it('given too large files: stops reading at the limit', async () => {
    const large = jobForm([]);
    for (let at = 0; at < 6; at++) large.append('file', new Blob([new Uint8Array(10 * 2 ** 20)]), 'a.png');
    const sent = await jobs.send(large);
    expect([sent.statusCode, sent.json().code]).toEqual([413, 'jobs.too_large']);
  });

  it('given five running jobs: is rejected with a Retry-After', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.push((await jobs.send(jobForm([`held ${newText()}`]))).json<{ id: string }>().id);
    }
    const sent = await jobs.send(jobForm([newText()]));
    expect([sent.statusCode, sent.json().code]).toEqual([429, 'jobs.too_many']);
    expect(Number(sent.headers['retry-after'])).toBeGreaterThan(0);
    for (const id of ids) await jobs.remove(id);
  });

  it('given a full storage share of its owner: explains what to do', async () => {
    const large = () => {
      const form = jobForm([]);
      form.append('file', new Blob([`blank ${newText()}`.padEnd(40 * 2 ** 20)]), 'a.png');
      return form;
    };
    const first = await jobs.send(large());
    expect(first.statusCode, first.body).toBe(202);
    const second = await jobs.send(large());
    expect([second.statusCode, second.json().code]).toEqual([429, 'jobs.too_much_kept']);
    await jobs.remove(first.json<{ id: string }>().id);
    await jobs.remove(first.json<{ id: string }>().id);
    const third = await jobs.send(large());
    expect(third.statusCode, third.body).toBe(202);
  });

  it('is rejected without premium and without a key', async () => {
    const free = await createMember(server.app, 'free');
    const key = await keyOf(free);
    await server.services.billing.subscriptions.markRefunded(
      (await server.services.accounts.findByLogin('free'))?.id ?? '',
    );
    expect((await jobsOf(server.app, key).send(jobForm(['x']))).json()).toMatchObject({
      code: 'api_keys.premium_over',
    });
    const { type, body } = await encodeForm(jobForm(['x']));
    const post = {
      method: 'POST',
      url: '/api/jobs',
      payload: body,
      headers: { 'content-type': type },
    } as const;
    expect((await free.send(post)).json()).toMatchObject({ code: 'jobs.premium_required' });
    expect((await jobsOf(server.app, 'none').get('/api/jobs')).statusCode).toBe(401);
    const withoutKey = await server.app.inject({ ...post, remoteAddress: '127.0.0.1' });
    expect(withoutKey.statusCode).toBe(401);
  });
});

describeOnce('a page of a job', () => {
  it("fails if its owner's premium has ended or quota is used up, while other jobs continue", async () => {
    const engine = new MemoryEngine(readText);
    const server = await startTestServer({
      engine,
      env: { PREMIUM_MONTHLY_LIMIT: '1', JOB_PAGES_AT_ONCE: '1' },
    });
    const jobs = jobsOf(server.app, await keyOf(await createMember(server.app, 'owner')));
    const { id } = (await jobs.send(jobForm([newText(), newText()]))).json<{ id: string }>();
    const job = await jobs.ended(id);
    expect(job).toMatchObject({ state: 'done', counts: { done: 1, failed: 1 } });
    expect(job.pages.find(({ state }) => state === 'failed')?.error).toBe('recognition.quota_used_up');
    await server.close();
  });
});

describeOnce('PDF results of two users', () => {
  const engine = new MemoryEngine(readText);
  const server = sharedServer({
    clock: createTestClock(),
    engine,
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('are limited to one running and one queued for a slow owner, and do not block another owner', async () => {
    const picture = new Uint8Array(
      await sharp({ create: { width: 100, height: 20, channels: 3, background: 'white' } })
        .png()
        .toBuffer(),
    );
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    engine.draw = async (bytes) => {
      if (Buffer.from(bytes).toString().includes('slow')) await held;
      return picture;
    };
    const [slow, quick] = await Promise.all(
      ['mallory', 'anna'].map(async (name) => {
        const jobs = jobsOf(server.app, await keyOf(await createMember(server.app, name)));
        const text = `pages: 2 ${name === 'mallory' ? 'slow' : 'quick'} ${newText()}`;
        const { id } = (await jobs.send(jobForm([text]))).json<{ id: string }>();
        await jobs.ended(id);
        return () => jobs.result(id, '?format=pdf');
      }),
    );
    const statuses: number[] = [];
    const six = Array.from({ length: 6 }, async () => statuses.push((await slow!()).statusCode));
    await expect.poll(() => statuses).toEqual([429, 429, 429, 429]);
    const other = await quick!();
    expect(other.statusCode).toBe(200);
    expect(other.body).toMatch(/^%PDF-/);
    go();
    await Promise.all(six);
    expect(statuses.slice(4)).toEqual([200, 200]);
  });
});

describeOnce('uncharged jobs', () => {
  const server = sharedServer({
    clock: createTestClock(),
    engine: new MemoryEngine(readText),
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('are limited to sixty per user and hour; charged jobs do not count', async () => {
    const owner = await createMember(server.app, 'owner');
    const jobs = jobsOf(server.app, await keyOf(owner));
    const send = async (text: string) => {
      const sent = await jobs.send(jobForm([text]));
      if (sent.statusCode === 202) await jobs.ended(sent.json<{ id: string }>().id);
      return sent;
    };
    for (let at = 0; at < JOB_LIMITS.unchargedPerHour; at += 1) {
      const text = `${at % 2 === 0 ? 'damaged' : 'blank'} ${newText()}`;
      expect((await send(text)).statusCode).toBe(202);
      if (at % 20 === 0) expect((await send(newText())).statusCode).toBe(202);
      // Deleted jobs still count.
      if (at % 20 === 1)
        for (const { id } of (await jobs.get('/api/jobs')).json().jobs) await jobs.remove(id);
    }
    const refused = await send(newText());
    expect(refused.statusCode, refused.body).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'jobs.too_many_unpaid' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
    const other = jobsOf(server.app, await keyOf(await createMember(server.app, 'other')));
    expect((await other.send(jobForm([newText()]))).statusCode).toBe(202);
  });
});

describeOnce('files that take long to open', () => {
  const engine = new MemoryEngine(readText);
  const server = sharedServer({
    clock: createTestClock(),
    engine,
    env: { RATE_LIMIT_PER_MINUTE: '100000', FAILED_WORK_SECONDS: '1' },
  });

  it('count against the monthly limit of unpaid time, and further jobs are rejected', async () => {
    const jobs = jobsOf(server.app, await keyOf(await createMember(server.app, 'owner')));
    engine.report = { ...engine.report, workedMs: 20_000 };
    const codes: unknown[] = [];
    for (let at = 0; at < 3; at += 1) {
      const sent = await jobs.send(jobForm([newText()]));
      codes.push(sent.statusCode === 202 ? sent.statusCode : sent.json().code);
      if (sent.statusCode === 202) await jobs.ended(sent.json<{ id: string }>().id);
    }
    expect(codes).toEqual([202, 202, 'recognition.failed_too_much']);
  });
});

describeOnce('a job of an API key', () => {
  const server = sharedServer({
    clock: createTestClock(),
    engine: new MemoryEngine(readText),
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('is visible to this key and to its owner’s session, and to no other key', async () => {
    const owner = await createMember(server.app, 'owner');
    const payroll = jobsOf(server.app, await keyOf(owner));
    const website = jobsOf(server.app, await keyOf(owner));
    const asOwner = createOwnJobs(owner);
    const text = newText();
    const { id } = (await payroll.send(jobForm([text]), { 'idempotency-key': 'one' })).json<{ id: string }>();
    await payroll.ended(id);

    for (const call of [`/api/jobs/${id}`, `/api/jobs/${id}/result`, `/api/jobs/${id}/result?format=pdf`]) {
      expect((await website.get(call)).statusCode, call).toBe(404);
    }
    expect((await website.get('/api/jobs')).json()).toEqual({ jobs: [] });
    expect((await website.remove(id)).statusCode).toBe(404);
    const ownOne = await website.send(jobForm([newText()]), { 'idempotency-key': 'one' });
    expect(ownOne.statusCode, 'the same Idempotency-Key as another key’s').toBe(202);
    expect(ownOne.json<{ id: string }>().id).not.toBe(id);

    expect((await payroll.result(id, '?format=text')).body).toBe(text);
    const { id: own } = (await asOwner.send(jobForm([newText()]))).json<{ id: string }>();
    const all = [own, ownOne.json<{ id: string }>().id, id];
    expect((await asOwner.list()).sort()).toEqual(all.sort());
    expect((await payroll.get('/api/jobs')).json().jobs).toMatchObject([{ id }]);
    expect((await payroll.get(`/api/jobs/${own}`)).statusCode, 'a job of the session').toBe(404);
    expect((await owner.get(`/api/jobs/${id}/result?format=text`)).body).toBe(text);
    expect((await owner.send({ method: 'DELETE', url: `/api/jobs/${id}` })).statusCode).toBe(200);
    expect((await payroll.get(`/api/jobs/${id}`)).statusCode).toBe(404);
  });
});

/** Job calls of a signed-in browser. */
function createOwnJobs(person: Browser) {
  return {
    async send(form: FormData) {
      const { type, body } = await encodeForm(form);
      return person.send({
        method: 'POST',
        url: '/api/jobs',
        payload: body,
        headers: { 'content-type': type },
      });
    },
    list: async () =>
      (await person.get('/api/jobs')).json<{ jobs: { id: string }[] }>().jobs.map(({ id }) => id),
  };
}

describeOnce('a webhook', () => {
  const clock = createTestClock();
  const engine = new MemoryEngine(readText);
  const server = sharedServer({
    engine,
    clock,
    env: { RATE_LIMIT_PER_MINUTE: '100000', WEBHOOK_TARGETS: 'anywhere' },
  });
  let receiver: Server;
  let url: string;
  let jobs: JobProgram;
  let owner: Browser;
  let status = 200;
  const attempts: { headers: Record<string, unknown>; body: string }[] = [];
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      attempts.push({ headers: request.headers, body });
      response.writeHead(status).end('something private');
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    owner = await createMember(server.app, 'owner');
    jobs = jobsOf(server.app, await keyOf(owner));
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(() => {
    attempts.length = 0;
    status = 200;
  });

  const renew = async () =>
    (await owner.post('/api/account/webhook-secret', { currentPassword: PASSWORD })).json<{
      secret: string;
      madeAt: string;
    }>();
  /** The signature by the Standard Webhooks specification, independent of our own code. */
  async function signatureWith(
    secret: string,
    { headers, body }: (typeof attempts)[number],
  ): Promise<string> {
    const bytes = Uint8Array.from(atob(secret.replace('whsec_', '')), (char) => char.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed));
    return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
  }
  async function sendJob(files: string[]): Promise<string> {
    const sent = await jobs.send(jobForm(files, { webhook: url }));
    expect(sent.statusCode, sent.body).toBe(202);
    const { id } = sent.json<{ id: string }>();
    await jobs.ended(id);
    return id;
  }
  const delivered = (id: string, state: string) =>
    eventually(async () => (await jobs.state(id)).webhook?.state === state);

  it('is sent when a job is done, signed, and without recognized text', async () => {
    const { secret } = await renew();
    const id = await sendJob([`Zebra ${newText()}`]);
    await delivered(id, 'delivered');
    expect(attempts).toHaveLength(1);
    const [{ headers, body }] = attempts as [(typeof attempts)[number]];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_/),
      'webhook-timestamp': String(Math.floor(clock.now().getTime() / 1000)),
      'webhook-signature': await signatureWith(secret, attempts[0]!),
    });
    expect(JSON.parse(body)).toEqual({
      type: 'job.done',
      timestamp: clock.now().toISOString(),
      data: {
        id,
        state: 'done',
        counts: { total: 1, queued: 0, running: 0, done: 1, failed: 0, cancelled: 0 },
        url: `http://localhost:3000/api/jobs/${id}`,
      },
    });
    expect((await jobs.state(id)).webhook).toEqual({
      url,
      state: 'delivered',
      tries: 1,
      lastTryAt: clock.now().toISOString(),
      lastStatus: 200,
      lastError: null,
      nextTryAt: null,
    });
    expect(server.log.join('')).not.toContain('something private');
    expect(server.log.join('')).not.toContain(secret);
  });

  it('is sent for a failed job, with the error code', async () => {
    const id = await sendJob([`damaged ${newText()}`]);
    await delivered(id, 'delivered');
    expect(JSON.parse(attempts[0]?.body ?? '')).toMatchObject({
      type: 'job.failed',
      data: { id, error: 'recognition.damaged' },
    });
  });

  it('is retried under the same id for a day, with growing pauses', async () => {
    status = 500;
    const id = await sendJob([newText()]);
    await eventually(async () => (await jobs.state(id)).webhook?.lastStatus === 500);
    const started = clock.now().getTime();
    const pauses: number[] = [];
    for (;;) {
      const { nextTryAt, state } = (await jobs.state(id)).webhook!;
      if (state === 'given_up') break;
      pauses.push(new Date(nextTryAt!).getTime() - clock.now().getTime());
      clock.set(nextTryAt!);
      await server.services.webhooks.deliver();
    }
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    const hours = (clock.now().getTime() - started) / HOUR_MS;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThanOrEqual(24);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(attempts.length);
    expect((await jobs.state(id)).webhook).toMatchObject({ lastError: 'refused', tries: attempts.length });
  });

  it('is delivered once the receiver is back, and never retried after a 410', async () => {
    status = 503;
    const back = await sendJob([newText()]);
    await eventually(async () => (await jobs.state(back)).webhook?.lastStatus === 503);
    status = 204;
    clock.advance(5_000);
    await server.services.webhooks.deliver();
    expect((await jobs.state(back)).webhook).toMatchObject({ state: 'delivered', tries: 2, lastStatus: 204 });
    status = 410;
    const gone = await sendJob([newText()]);
    await delivered(gone, 'given_up');
  });

  it('does not follow redirects', async () => {
    status = 307;
    const id = await sendJob([newText()]);
    await eventually(async () => (await jobs.state(id)).webhook?.lastError === 'redirected');
    expect(attempts).toHaveLength(1);
    await jobs.remove(id);
  });

  it('is not sent for a cancelled or deleted job', async () => {
    const sent = await jobs.send(jobForm([`held ${newText()}`], { webhook: url }));
    await jobs.remove(sent.json<{ id: string }>().id);
    await server.services.webhooks.deliver();
    expect(attempts).toEqual([]);
    expect(await server.services.webhooks.waiting()).toBe(0);
  });

  it('is signed with the new and the previous secret for a day, and each secret is shown once', async () => {
    const former = await renew();
    const { secret, madeAt } = await renew();
    expect((await owner.get('/api/account/webhook-secret')).json()).toEqual({ madeAt });
    const rows = JSON.stringify(await server.database.selectFrom('webhook_secrets').selectAll().execute());
    for (const one of [former.secret, secret]) expect(rows).not.toContain(one.slice(10, 20));
    await delivered(await sendJob([newText()]), 'delivered');
    expect(attempts[0]?.headers['webhook-signature']).toBe(
      `${await signatureWith(secret, attempts[0]!)} ${await signatureWith(former.secret, attempts[0]!)}`,
    );
    clock.advance(24 * HOUR_MS);
    await delivered(await sendJob([newText()]), 'delivered');
    expect(attempts[1]?.headers['webhook-signature']).toBe(await signatureWith(secret, attempts[1]!));
  });

  it('has a secret whose renewal requires password and premium, and sends a mail', async () => {
    const wrong = await owner.post('/api/account/webhook-secret', { currentPassword: 'not it at all' });
    expect(wrong.json()).toMatchObject({ code: 'accounts.wrong_password' });
    await renew();
    await server.services.mails.deliver();
    expect(
      server.mails.some(({ subject, text }) => /webhook secret/i.test(subject) && !text.includes('whsec_')),
    ).toBe(true);
    const free = await createMember(server.app, 'free');
    await server.services.billing.subscriptions.markRefunded(
      (await server.services.accounts.findByLogin('free'))?.id ?? '',
    );
    const refused = await free.post('/api/account/webhook-secret', { currentPassword: PASSWORD });
    expect(refused.json()).toMatchObject({ code: 'api_keys.premium_required' });
    const data = await owner.get('/api/account/data');
    expect(data.json()).toMatchObject({ webhookSecret: { madeAt: expect.any(String) } });
    expect(data.body).not.toContain('whsec_');
  });
});

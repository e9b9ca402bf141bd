import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { extractText, getMeta } from 'unpdf';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANSWER_FORMATS } from '#contract/answer-format';
import { JOB_LIMITS, jobResultSchema, jobSchema } from '#contract/job';
import { OCR_ERRORS, OcrError, PRIORITY } from '#ocr';
import { eventually } from '../../../tests/support/eventually.ts';
import { type JobProgram, jobForm, jobsOf, keyOf } from '../../../tests/support/jobs.ts';
import { ownPdf } from '../../../tests/support/own-pdf.ts';
import { type Browser, createMember, PASSWORD } from '../../../tests/support/people.ts';
import {
  createTestClock,
  encodeForm,
  sharedServer,
  startTestServer,
} from '../../../tests/support/server-app.ts';
import { describeOnce, EVERY_DATABASE } from '../../../tests/support/server-databases.ts';
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
/** Each of them is read for the first time. */
const newText = () => `text ${++named}`;

/** Reads what is written; fails as it says, and holds what is to be held. */
const readText: MemoryEngine['read'] = async (bytes, { page, signal }) => {
  const text = textOn(bytes, page);
  if (text.startsWith('damaged')) throw new OcrError(OCR_ERRORS.damaged, 'cut off');
  if (text.startsWith('blank')) return recognitionOf('');
  if (text.startsWith('held')) return untilAborted(signal, aborted);
  return recognitionOf(text);
};

describe.each(EVERY_DATABASE)('a job (%s)', (database) => {
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

  it('is answered before it is done, reports its pages one by one, and is read as one document', async () => {
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

  it('comes in every format, as one document of all pages', async () => {
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

  describe('of PDFs, with a PDF as result', () => {
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

    it('a job: given one PDF, answers it with text on its pages, and all else in it', async () => {
      const own = ownPdf({
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

    it('a job: given several PDFs, answers one of all their pages', async () => {
      const { rawPayload } = await resultOf(ownPdf({ pages: [page, page] }), ownPdf({ pages: [page] }));
      expect(await textOfPdf(rawPayload)).toEqual(['Sheet1', 'Sheet2', 'Sheet1']);
    });

    it('a job: given a signed PDF, refuses a PDF with the reason and answers other formats', async () => {
      const signature = { '/FT': '/Sig', '/V': { '/Type': '/Sig' } };
      const signed = ownPdf({ pages: [page], catalog: { '/AcroForm': { '/Fields': [signature] } } });
      const refused = await resultOf(signed);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        422,
        { code: 'jobs.pdf_refused', error: expect.stringContaining('digitally signed') },
      ]);
    });
  });

  it('comes as its tables, where it has some', async () => {
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

  it('goes on past a page that fails, charges what has text alone, and what was read before for nothing', async () => {
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

  it('is failed where nothing could be read, and says why', async () => {
    const { id } = (await jobs.send(jobForm([`damaged ${newText()}`]))).json<{ id: string }>();
    expect(await jobs.ended(id)).toMatchObject({ state: 'failed', error: 'recognition.damaged' });
    const result = await jobs.result(id);
    expect([result.statusCode, result.json().code]).toEqual([409, 'jobs.no_result']);
  });

  it('reads the pages that were named of each document, and says where there are none', async () => {
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

  it('of too many pages is failed before one of them is read', async () => {
    const before = await jobs.usage();
    const { id } = (await jobs.send(jobForm([`pages: 201 ${newText()}`]))).json<{ id: string }>();
    expect(await jobs.ended(id)).toMatchObject({ state: 'failed', error: 'jobs.too_many_pages' });
    expect(await jobs.usage()).toBe(before);
  });

  it('is its owner’s alone', async () => {
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

  it('sent again with the same Idempotency-Key is the same one, and with other files is refused', async () => {
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

  it('is cancelled and forgotten at once, and the second time wholly', async () => {
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
    // The lease of the page in work is given back; the one that was read counts.
    await vi.waitFor(async () => expect(await jobs.usage()).toBe(before + 1));
    expect((await jobs.remove(id)).statusCode).toBe(200);
    expect((await jobs.get(`/api/jobs/${id}`)).statusCode).toBe(404);
  });

  it('is deleted an hour after its end, and its state two days later', async () => {
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
    expect(await server.services.jobs.contents.held()).toBe(0);
  });

  it('waits for a place as long as others wait in front of a page, and comes after them', async () => {
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

  it('leaves nothing of its files in the database or the log', async () => {
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

  it('stands in what its owner takes away, and goes with the account while it is under way', async () => {
    const leaver = await createMember(server.app, `leaver-${database}`);
    const own = jobsOf(server.app, await keyOf(leaver));
    const { id } = (await own.send(jobForm([`held ${newText()}`]))).json<{ id: string }>();
    expect((await leaver.get('/api/account/data')).json()).toMatchObject({ jobs: [{ id }] });
    await leaver.post('/api/account/delete', { username: `leaver-${database}`, currentPassword: PASSWORD });
    expect(await server.services.jobs.contents.has(id)).toBe(false);
    expect(await server.database.selectFrom('jobs').select('id').where('id', '=', id).execute()).toEqual([]);
  });
});

describeOnce('a job that is refused', () => {
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
    ['a language that is not there', ['x'], { languages: 'deu' }, 400, 'recognition.language_unknown'],
    ['pages that are none', ['x'], { pages: '0' }, 400, 'recognition.bad_field'],
    ['pages in no order', ['x'], { pages: '1;2' }, 400, 'recognition.bad_field'],
    ['a webhook inside', ['x'], { webhook: 'https://169.254.169.254/' }, 400, 'jobs.bad_webhook'],
    ['a webhook without https', ['x'], { webhook: 'http://example.com/' }, 400, 'jobs.bad_webhook'],
    ['a webhook and no secret', ['x'], { webhook: 'https://example.com/' }, 409, 'jobs.no_webhook_secret'],
  ])('for %s says so', async (_what, files, fields, status, code) => {
    const sent = await jobs.send(jobForm(files, fields as Record<string, string>));
    expect([sent.statusCode, sent.json().code]).toEqual([status, code]);
  });

  it('because its files are too large is not read to its end', async () => {
    const large = jobForm([]);
    for (let at = 0; at < 6; at++) large.append('file', new Blob([new Uint8Array(10 * 2 ** 20)]), 'a.png');
    const sent = await jobs.send(large);
    expect([sent.statusCode, sent.json().code]).toEqual([413, 'jobs.too_large']);
  });

  it('with five others under way is refused with a Retry-After', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      ids.push((await jobs.send(jobForm([`held ${newText()}`]))).json<{ id: string }>().id);
    }
    const sent = await jobs.send(jobForm([newText()]));
    expect([sent.statusCode, sent.json().code]).toEqual([429, 'jobs.too_many']);
    expect(Number(sent.headers['retry-after'])).toBeGreaterThan(0);
    for (const id of ids) await jobs.remove(id);
  });

  it('because the files of its owner fill their share says what to do', async () => {
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

  it('is refused without premium and for strangers', async () => {
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
    const stranger = await server.app.inject({ ...post, remoteAddress: '127.0.0.1' });
    expect(stranger.statusCode).toBe(401);
  });
});

describeOnce('a page of a job', () => {
  it("fails where its owner's premium has ended or their quota is used up, while other jobs go on", async () => {
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

describeOnce('PDF results of two people', () => {
  const engine = new MemoryEngine(readText);
  const server = sharedServer({
    clock: createTestClock(),
    engine,
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('one with slow pages has one in work and one waiting, and does not keep the other from theirs', async () => {
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
    const six = Array.from({ length: 6 }, () => slow!());
    const refused = await Promise.all(six.slice(2));
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429, 429]);
    const other = await quick!();
    expect(other.statusCode).toBe(200);
    expect(other.body).toMatch(/^%PDF-/);
    go();
    expect((await Promise.all(six.slice(0, 2))).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });
});

describeOnce('jobs that charge nothing', () => {
  const server = sharedServer({
    clock: createTestClock(),
    engine: new MemoryEngine(readText),
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('a person’s jobs without a charge: after sixty in an hour the next is refused, a charged one counts not at all', async () => {
    const owner = await createMember(server.app, 'owner');
    const jobs = jobsOf(server.app, await keyOf(owner));
    const send = async (text: string) => {
      const sent = await jobs.send(jobForm([text]));
      if (sent.statusCode === 202) await jobs.ended(sent.json<{ id: string }>().id);
      return sent;
    };
    for (let at = 0; at < JOB_LIMITS.unpaidPerHour; at += 1) {
      const text = `${at % 2 === 0 ? 'damaged' : 'blank'} ${newText()}`;
      expect((await send(text)).statusCode).toBe(202);
      if (at % 20 === 0) expect((await send(newText())).statusCode).toBe(202);
      // A job that is deleted counts all the same.
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

  it('the time of looking into them is counted, and a person who has spent it for the month makes no job', async () => {
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

describeOnce('a job of a key', () => {
  const server = sharedServer({
    clock: createTestClock(),
    engine: new MemoryEngine(readText),
    env: { RATE_LIMIT_PER_MINUTE: '100000' },
  });

  it('a key reaches the jobs that it made and no others; its owner’s session reaches all', async () => {
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

/** What a person does with their jobs in a browser. */
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
  const heard: { headers: Record<string, unknown>; body: string }[] = [];
  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      heard.push({ headers: request.headers, body });
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
    heard.length = 0;
    status = 200;
  });

  const renew = async () =>
    (await owner.post('/api/account/webhook-secret', { currentPassword: PASSWORD })).json<{
      secret: string;
      madeAt: string;
    }>();
  /** As Standard Webhooks has it, written by its text and not with our own code. */
  async function signatureWith(secret: string, { headers, body }: (typeof heard)[number]): Promise<string> {
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

  it('is sent when a job is done, signed, and without anything of its text', async () => {
    const { secret } = await renew();
    const id = await sendJob([`Zebra ${newText()}`]);
    await delivered(id, 'delivered');
    expect(heard).toHaveLength(1);
    const [{ headers, body }] = heard as [(typeof heard)[number]];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_/),
      'webhook-timestamp': String(Math.floor(clock.now().getTime() / 1000)),
      'webhook-signature': await signatureWith(secret, heard[0]!),
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

  it('is sent for a failure with its code', async () => {
    const id = await sendJob([`damaged ${newText()}`]);
    await delivered(id, 'delivered');
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      type: 'job.failed',
      data: { id, error: 'recognition.damaged' },
    });
  });

  it('is sent again under the same id for a day, with growing pauses, and then given up', async () => {
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
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(heard.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(heard.length);
    expect((await jobs.state(id)).webhook).toMatchObject({ lastError: 'refused', tries: heard.length });
  });

  it('is taken by a receiver that comes back, and not sent again to one that answers 410', async () => {
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

  it('is not sent on by a redirect', async () => {
    status = 307;
    const id = await sendJob([newText()]);
    await eventually(async () => (await jobs.state(id)).webhook?.lastError === 'redirected');
    expect(heard).toHaveLength(1);
    await jobs.remove(id);
  });

  it('is not sent for a cancelled or deleted job', async () => {
    const sent = await jobs.send(jobForm([`held ${newText()}`], { webhook: url }));
    await jobs.remove(sent.json<{ id: string }>().id);
    await server.services.webhooks.deliver();
    expect(heard).toEqual([]);
    expect(await server.services.webhooks.waiting()).toBe(0);
  });

  it('is signed with the new secret and the former one for a day, and is shown each once', async () => {
    const former = await renew();
    const { secret, madeAt } = await renew();
    expect((await owner.get('/api/account/webhook-secret')).json()).toEqual({ madeAt });
    const rows = JSON.stringify(await server.database.selectFrom('webhook_secrets').selectAll().execute());
    for (const one of [former.secret, secret]) expect(rows).not.toContain(one.slice(10, 20));
    await delivered(await sendJob([newText()]), 'delivered');
    expect(heard[0]?.headers['webhook-signature']).toBe(
      `${await signatureWith(secret, heard[0]!)} ${await signatureWith(former.secret, heard[0]!)}`,
    );
    clock.advance(24 * HOUR_MS);
    await delivered(await sendJob([newText()]), 'delivered');
    expect(heard[1]?.headers['webhook-signature']).toBe(await signatureWith(secret, heard[1]!));
  });

  it("has a secret that needs the password, is announced by mail, and is premium's alone", async () => {
    const wrong = await owner.post('/api/account/webhook-secret', { currentPassword: 'not it at all' });
    expect(wrong.json()).toMatchObject({ code: 'accounts.wrong_password' });
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

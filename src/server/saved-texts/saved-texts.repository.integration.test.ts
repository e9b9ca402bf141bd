import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { createTestClock, sharedServer } from '../../../tests/support/server-app.ts';
import { describeOnBothDatabases } from '../../../tests/support/server-databases.ts';
import { recognitionOf, recognitionOfTable } from '../../../tests/support/server-engine.ts';
import { toExtraction } from '../../answer/answer.ts';
import type { SignedIn } from '../http/caller.ts';
import type { Database } from '../schema.ts';
import { SavedTexts } from './saved-texts.repository.ts';

const emptyExtraction: Extraction = {
  extractedText: '',
  wordCount: 0,
  confidence: 0,
  lines: [],
  hidden: [],
  image: { width: 10, height: 10, rotation: 0 },
  language: 'eng',
  durationMs: 1,
  notices: [],
};

const nora = { userId: 'nora' } as SignedIn;
const emil = { userId: 'emil' } as SignedIn;
const otto = { userId: 'otto' } as SignedIn;

describeOnBothDatabases('saved texts', (testDatabase) => {
  const clock = createTestClock();
  let database: Database;
  beforeAll(async () => {
    database = await testDatabase().open();
    for (const { userId } of [nora, emil, otto]) {
      await database
        .insertInto('users')
        .values({
          id: userId,
          username: userId,
          email: `${userId}@mail.example`,
          email_key: `${userId}@mail.example`,
          email_verified_at: null,
          pending_email: null,
          password_hash: null,
          storage_bytes: 0,
          created_at: clock.now().toISOString(),
        })
        .execute();
    }
  });
  afterAll(() => database.destroy());
  const text = (name: string, content: string) => ({ name, text: content, language: 'eng' });

  it('are found by any part of name or text, in any script and case, and never by another user', async () => {
    const texts = new SavedTexts(database, clock);
    await texts.save(nora, text('Receipt', 'МОЛОКО и хлеб'));
    await texts.save(nora, text('100% off_sale', 'nothing here'));
    const find = async (search: string, person = nora) =>
      (await texts.list(person, { search })).texts.map(({ name }) => name);
    expect(await find('молоко')).toEqual(['Receipt']);
    expect(await find('RECEIPT')).toEqual(['Receipt']);
    expect(await find('0% off_')).toEqual(['100% off_sale']);
    expect(await find('0%off')).toEqual([]);
    expect(await find('%')).toEqual(['100% off_sale']);
    expect(await find('молоко', emil)).toEqual([]);
  });

  it('have previews of whole characters, in the list and on saving', async () => {
    const texts = new SavedTexts(database, clock);
    const saved = await texts.save(nora, text('Faces', `a${'\u{1F600}'.repeat(300)}`));
    const listed = (await texts.list(nora, { search: 'Faces' })).texts[0];
    for (const { preview } of [saved, listed ?? saved]) {
      expect(preview).toBe(`a${'\u{1F600}'.repeat(199)}`);
    }
  });

  it('are listed newest first, fifty at a time', async () => {
    const texts = new SavedTexts(database, clock);
    for (let count = 0; count < 60; count++) {
      clock.advance(1000);
      await texts.save(emil, text(`Text ${count}`, 'x'));
    }
    const first = await texts.list(emil, {});
    expect(first.texts).toHaveLength(50);
    expect(first.texts[0]?.name).toBe('Text 59');
    const second = await texts.list(emil, { before: first.next ?? '' });
    expect(second.texts.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Text ${9 - i}`),
    );
    expect(second.next).toBeNull();
    let exported = 0;
    for await (const one of texts.all(emil.userId)) if (one.text === 'x') exported++;
    expect(exported).toBe(60);
  });

  it('with large extractions are exported in small batches, each once', async () => {
    const texts = new SavedTexts(database, clock);
    const extraction = toExtraction(recognitionOf('word '.repeat(2_000).trim()));
    const names = ['One', 'Two', 'Three', 'Four'];
    for (const name of names) {
      clock.advance(1000);
      await texts.save(otto, { ...text(name, 'y'), reading: { extraction, work: null } });
    }
    const exported: string[] = [];
    for await (const one of texts.all(otto.userId)) exported.push(one.name);
    expect(exported).toEqual(names);
  });

  it('count their bytes with names, and never exceed the limit, even in parallel', async () => {
    await database.deleteFrom('saved_texts').where('user_id', '=', 'nora').execute();
    await database.updateTable('users').set({ storage_bytes: 0 }).where('id', '=', 'nora').execute();
    const texts = new SavedTexts(database, clock, 100);
    const saves = await Promise.allSettled(
      Array.from({ length: 20 }, () => texts.save(nora, text('n', 'é'.repeat(12)))),
    );
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const { texts: kept, storage } = await texts.list(nora, {});
    expect(storage).toEqual({ usedBytes: 100, limitBytes: 100 });
    const [one] = kept;
    await expect(texts.change(nora, one!.id, { name: 'longer' })).rejects.toThrow('limit');
    await expect(texts.change(nora, one!.id, { text: 'é'.repeat(13) })).rejects.toThrow('limit');
    await texts.remove(nora, one!.id);
    await texts.change(nora, kept[1]!.id, { name: 'longer' });
    expect((await texts.list(nora, {})).storage.usedBytes).toBe(80);
    await texts.change(nora, kept[1]!.id, { name: 'n' });
    await texts.change(nora, kept[1]!.id, { text: 'é'.repeat(24) });
    expect((await texts.list(nora, {})).storage.usedBytes).toBe(99);
    await texts.change(nora, kept[1]!.id, { text: 'é'.repeat(12) });
  });

  it('can only be changed with their current version', async () => {
    const texts = new SavedTexts(database, clock);
    const { id, version } = await texts.save(nora, text('Letter', 'Dear Ada'));
    const other = await texts.change(nora, id, { text: 'Dear Charles', version });
    expect(other.version).toBe(version + 1);
    await expect(texts.change(nora, id, { text: 'Dear Emil', version })).rejects.toThrow('has changed since');
    expect((await texts.read(nora, id)).text).toBe('Dear Charles');
    // The answer was lost, and the client retries.
    expect(await texts.change(nora, id, { text: 'Dear Charles', version })).toEqual(other);
    const renamed = await texts.change(nora, id, { name: 'Draft', version });
    expect(renamed).toMatchObject({ name: 'Draft', version: other.version });
    await texts.change(nora, id, { text: 'Dear all', version: renamed.version });
    expect(await texts.read(nora, id)).toMatchObject({
      name: 'Draft',
      text: 'Dear all',
      preview: 'Dear all',
    });
    await texts.remove(nora, id);
  });

  it('store the extraction and its edits, count both, and omit them from lists', async () => {
    const texts = new SavedTexts(database, clock);
    const used = async () => (await texts.list(nora, {})).storage.usedBytes;
    const before = await used();
    const edits = {
      mapped: { text: 'Milk 2', marks: [{ piece: 0, start: 0, end: 4 }] },
      layout: 'page' as const,
      lines: null,
      filled: [],
      notTables: [],
      checked: [0],
    };
    const extraction = { ...emptyExtraction, extractedText: 'Milk' };
    const { id, bytes } = await texts.save(nora, {
      ...text('Table', 'Milk'),
      reading: { extraction, work: null },
    });
    expect(await used()).toBe(before + bytes);
    expect((await texts.read(nora, id)).reading).toEqual({ extraction, work: null });
    await texts.change(nora, id, { text: 'Milk 2', version: 1, work: edits });
    expect((await texts.read(nora, id)).reading).toEqual({ extraction, work: edits });
    await texts.change(nora, id, { name: 'Other' });
    expect((await texts.read(nora, id)).reading).toEqual({ extraction, work: edits });
    const [listed] = (await texts.list(nora, { search: 'Other' })).texts;
    expect(listed).not.toHaveProperty('reading');
    expect(await used()).toBe(before + listed!.bytes);
    await texts.remove(nora, id);
    expect(await used()).toBe(before);

    const alone = await texts.save(nora, text('Alone', 'Bread'));
    await texts.change(nora, alone.id, { text: 'Rye bread', work: edits });
    expect(await texts.read(nora, alone.id)).not.toHaveProperty('reading');
    await texts.remove(nora, alone.id);
  });

  it('list how many doubtful words are left, and null after a change that did not count them', async () => {
    const texts = new SavedTexts(database, clock);
    const reading = { extraction: { ...emptyExtraction, extractedText: 'Milk' }, work: null };
    const { id, doubtful } = await texts.save(nora, { ...text('Bill', 'Milk'), reading, doubtful: 3 });
    expect(doubtful).toBe(3);
    const listed = async (search = '') =>
      (await texts.list(nora, { search })).texts.find((one) => one.id === id)?.doubtful;
    expect([await listed(), await listed('bill')]).toEqual([3, 3]);
    await texts.change(nora, id, { text: 'Milk 2', version: 1, doubtful: 2 });
    await texts.change(nora, id, { name: 'Receipt' });
    expect(await listed()).toBe(2);
    // A retry after a lost answer sends the same text.
    await texts.change(nora, id, { text: 'Milk 2', version: 1, doubtful: 2 });
    expect((await texts.read(nora, id)).doubtful).toBe(2);
    await texts.change(nora, id, { text: 'Milk 3' });
    expect(await listed()).toBeNull();
    await texts.change(nora, id, { text: 'Milk 3', doubtful: 0 });
    expect(await listed()).toBe(0);
    await texts.remove(nora, id);

    // The count is stored only with an extraction.
    const alone = await texts.save(nora, { ...text('Alone', 'Bread'), doubtful: 3 });
    expect(alone.doubtful).toBeNull();
    expect((await texts.change(nora, alone.id, { text: 'Rye', doubtful: 3 })).doubtful).toBeNull();
    await texts.remove(nora, alone.id);
  });

  it('accept one of two concurrent changes, and reject the other', async () => {
    const texts = new SavedTexts(database, clock);
    const { id, version } = await texts.save(nora, text('Race', 'start'));
    const changes = await Promise.allSettled(
      ['first', 'second', 'third'].map((one) => texts.change(nora, id, { text: one, version })),
    );
    expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await texts.read(nora, id)).version).toBe(version + 1);
    await texts.remove(nora, id);
  });

  it('have marked search matches', async () => {
    const texts = new SavedTexts(database, clock);
    const { id } = await texts.save(nora, text('Menü', `${'Line of text\n'.repeat(40)}Café\ncrème, please`));
    const [found] = (await texts.list(nora, { search: 'CREME cafe menu' })).texts;
    expect(found?.found?.name).toEqual([{ start: 0, end: 4 }]);
    expect(found?.found?.excerpt).toMatch(/^… .*Line of text Café crème, please$/);
    const { excerpt = '', marks = [] } = found?.found ?? {};
    expect(marks.map(({ start, end }) => excerpt.slice(start, end))).toEqual(['Café', 'crème']);
    await texts.remove(nora, id);
  });

  it('are searched in limited batches, page by page to the end', async () => {
    const texts = new SavedTexts(database, clock);
    const needle = await texts.save(nora, text('Oldest', 'the needle'));
    const ids = [needle.id];
    for (let count = 0; count < 6; count++) {
      clock.advance(1000);
      ids.push((await texts.save(nora, text(`Heap ${count}`, 'hay '.repeat(250_000)))).id);
    }
    const first = await texts.list(nora, { search: 'needle' });
    expect(first.texts).toEqual([]);
    expect(first.next).not.toBeNull();
    const second = await texts.list(nora, { search: 'needle', before: first.next! });
    expect(second).toMatchObject({ texts: [{ name: 'Oldest' }], next: null });
    for (const id of ids) await texts.remove(nora, id);
  });

  it('are returned by a search fifty at a time, each once', async () => {
    const texts = new SavedTexts(database, clock);
    const first = await texts.list(emil, { search: 'text' });
    const second = await texts.list(emil, { search: 'text', before: first.next ?? '' });
    expect(first.texts).toHaveLength(50);
    expect(second).toMatchObject({ texts: { length: 10 }, next: null });
    expect(new Set([...first.texts, ...second.texts].map(({ id }) => id)).size).toBe(60);
  });

  it('cannot be read, changed or deleted by another user', async () => {
    const texts = new SavedTexts(database, clock);
    const { id } = (await texts.list(nora, {})).texts[0]!;
    await expect(texts.read(emil, id)).rejects.toThrow();
    await expect(texts.change(emil, id, { name: 'mine' })).rejects.toThrow();
    await expect(texts.change(emil, id, { text: 'mine' })).rejects.toThrow();
    await expect(texts.remove(emil, id)).rejects.toThrow();
    expect((await texts.read(nora, id)).text).toBe('é'.repeat(12));
  });
});

describe('the calls of saved texts', () => {
  const clock = createTestClock();
  const server = sharedServer({ clock });

  it('save for premium only, and export without premium', async () => {
    const member = await createMember(server.app, 'member');
    const saved = await member.post('/api/texts', { name: 'Note', text: 'Milk and bread' });
    expect(saved.statusCode).toBe(201);
    clock.advance(40 * 24 * 60 * 60 * 1000);
    await member.login('member');
    expect((await member.post('/api/texts', { name: 'Note', text: 'More' })).statusCode).toBe(403);
    const { id } = saved.json<{ text: { id: string } }>().text;
    expect((await member.get(`/api/texts/${id}`)).json()).toMatchObject({ text: { text: 'Milk and bread' } });
    expect((await member.get('/api/texts/export')).json()).toMatchObject([{ text: 'Milk and bread' }]);
    const rename = await member.send({ method: 'PATCH', url: `/api/texts/${id}`, payload: { name: 'List' } });
    expect(rename.json()).toMatchObject({ text: { name: 'List' } });
    const change = (payload: object) => member.send({ method: 'PATCH', url: `/api/texts/${id}`, payload });
    expect((await change({ text: 'Milk', version: 1 })).json()).toMatchObject({ text: { version: 2 } });
    const late = await change({ text: 'Bread', version: 1 });
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({ code: 'saved_texts.changed_elsewhere' });
    expect((await change({ text: '' })).statusCode).toBe(400);
    expect((await member.send({ method: 'DELETE', url: `/api/texts/${id}` })).statusCode).toBe(200);
    expect((await member.get(`/api/texts/${id}`)).statusCode).toBe(404);
  });

  it('export each text with its extraction and edits, alone and with all personal data', async () => {
    const member = await createMember(server.app, 'leaver');
    const extraction = toExtraction(recognitionOfTable([['Tea', '14.00']]));
    await member.post('/api/texts', { name: 'Note', text: 'Milk' });
    const saved = await member.post('/api/texts', {
      name: 'Bill',
      text: 'Tea 14.00',
      reading: { extraction, work: null },
    });
    const { id } = saved.json<{ text: { id: string } }>().text;
    const { text } = (await member.get(`/api/texts/${id}`)).json();
    const exported = (await member.get('/api/texts/export')).json<{ id: string }[]>();
    expect(exported.find((one) => one.id === id)).toEqual(text);
    expect(text).toMatchObject({ reading: { extraction: { layout: { tables: [{ rows: 1 }] } } } });
    const { savedTexts } = (await member.get('/api/account/data')).json();
    expect(savedTexts).toEqual(exported);
  });

  it('accept a text of some megabytes, and reject one without a name or without text', async () => {
    const member = await createMember(server.app, 'writer');
    const save = (name: string, text: string) => member.post('/api/texts', { name, text });
    expect((await save('Long', '書'.repeat(1_000_000))).statusCode).toBe(201);
    expect((await save('Longer', 'x'.repeat(1_000_001))).statusCode).toBe(400);
    expect((await save(' ', 'x')).json()).toEqual({
      error: 'Please give the text a name',
      code: 'http.invalid_body',
    });
    expect((await save('Empty', '')).json()).toEqual({
      error: 'There is no text to save',
      code: 'http.invalid_body',
    });
    expect((await createBrowser(server.app).get('/api/texts')).statusCode).toBe(401);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, createMember } from '../../../tests/support/people.ts';
import { createStandingClock, sharedServer } from '../../../tests/support/server-app.ts';
import { describeOnEveryDatabase } from '../../../tests/support/server-databases.ts';
import type { SignedIn } from '../people/sessions.ts';
import type { Database } from '../schema.ts';
import { createSavedTexts } from './repository.ts';

const nora = { userId: 'nora' } as SignedIn;
const emil = { userId: 'emil' } as SignedIn;

describeOnEveryDatabase('saved texts', (home) => {
  const clock = createStandingClock();
  let database: Database;
  beforeAll(async () => {
    database = await home().open();
    for (const { userId } of [nora, emil]) {
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

  it('are found by any part of name or text, in any script and case, and never by somebody else', async () => {
    const texts = createSavedTexts(database, clock);
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

  it('are previewed by whole characters, in the list as on saving', async () => {
    const texts = createSavedTexts(database, clock);
    const saved = await texts.save(nora, text('Faces', `a${'\u{1F600}'.repeat(300)}`));
    const listed = (await texts.list(nora, { search: 'Faces' })).texts[0];
    for (const { preview } of [saved, listed ?? saved]) {
      expect(preview).toBe(`a${'\u{1F600}'.repeat(199)}`);
    }
  });

  it('are listed newest first, fifty at a time', async () => {
    const texts = createSavedTexts(database, clock);
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

  it('count their bytes, names included, and stop at the limit even when saved all at once', async () => {
    await database.deleteFrom('saved_texts').where('user_id', '=', 'nora').execute();
    await database.updateTable('users').set({ storage_bytes: 0 }).where('id', '=', 'nora').execute();
    const texts = createSavedTexts(database, clock, 100);
    const saves = await Promise.allSettled(
      Array.from({ length: 20 }, () => texts.save(nora, text('n', 'é'.repeat(12)))),
    );
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const { texts: kept, storage } = await texts.list(nora, {});
    expect(storage).toEqual({ usedBytes: 100, limitBytes: 100 });
    const [one] = kept;
    await expect(texts.rename(nora, one!.id, 'longer')).rejects.toThrow('limit');
    await texts.remove(nora, one!.id);
    await texts.rename(nora, kept[1]!.id, 'longer');
    expect((await texts.list(nora, {})).storage.usedBytes).toBe(80);
  });

  it('cannot be read, renamed or deleted by somebody else', async () => {
    const texts = createSavedTexts(database, clock);
    const { id } = (await texts.list(nora, {})).texts[0]!;
    await expect(texts.read(emil, id)).rejects.toThrow();
    await expect(texts.rename(emil, id, 'mine')).rejects.toThrow();
    await expect(texts.remove(emil, id)).rejects.toThrow();
    expect((await texts.read(nora, id)).text).toBe('é'.repeat(12));
  });
});

describe('the addresses of saved texts', () => {
  const clock = createStandingClock();
  const server = sharedServer({ clock });

  it('save for premium only, and let what was saved be taken away when premium is over', async () => {
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
    expect((await member.send({ method: 'DELETE', url: `/api/texts/${id}` })).statusCode).toBe(200);
    expect((await member.get(`/api/texts/${id}`)).statusCode).toBe(404);
  });

  it('take a text of some megabytes, and refuse one without a name or without a word', async () => {
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

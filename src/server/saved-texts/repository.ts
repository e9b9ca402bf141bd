import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { STORAGE_LIMIT_BYTES } from '#contract/product';
import type { SavedText, SavedTextsResponse } from '#contract/saved-text';
import type { SignedIn } from '../people/sessions.ts';
import { addStorage, findUser } from '../people/users.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import { noSuchText, storageFull } from './errors.ts';
import type { Database, Transaction } from './tables.ts';

const PAGE = 50;
const PREVIEW_LENGTH = 200;

export interface NewText {
  name: string;
  text: string;
  language: string;
}

/** One person's texts. Bytes are UTF-8's, names included, and are counted in the transaction that changes them. */
export interface SavedTexts {
  /** @throws {AppError} `saved_texts.storage_full`. */
  save(person: SignedIn, text: NewText): Promise<SavedText>;
  list(person: SignedIn, query: { search?: string; before?: string }): Promise<SavedTextsResponse>;
  read(person: SignedIn, id: string): Promise<SavedText & { text: string }>;
  rename(person: SignedIn, id: string, name: string): Promise<SavedText>;
  remove(person: SignedIn, id: string): Promise<void>;
  /** Every text, oldest first, a page at a time, so that a gigabyte is never in memory at once. */
  all(userId: string): AsyncGenerator<SavedText & { text: string }>;
}

const COLUMNS = ['id', 'name', 'bytes', 'language', 'created_at'] as const;

export function createSavedTexts(
  database: Database,
  clock: Clock,
  limitBytes: number = STORAGE_LIMIT_BYTES,
): SavedTexts {
  /** Adds to the person's meter. @throws {AppError} when the sum would be over the limit. */
  async function meter(transaction: Transaction, userId: string, bytes: number): Promise<void> {
    if (!(await addStorage(transaction, userId, bytes, limitBytes))) throw storageFull();
  }

  const own = (userId: string, id: string) =>
    database.selectFrom('saved_texts').where('user_id', '=', userId).where('id', '=', id);

  return {
    save: ({ userId }, { name, text, language }) =>
      withTransaction(database, async (transaction) => {
        const bytes = Buffer.byteLength(name) + Buffer.byteLength(text);
        await meter(transaction, userId, bytes);
        const row = {
          id: randomUUID(),
          user_id: userId,
          name,
          text,
          folded: fold(name, text),
          bytes,
          language,
          created_at: clock.now().toISOString(),
        };
        await transaction.insertInto('saved_texts').values(row).execute();
        return present({ ...row, preview: text });
      }),

    async list({ userId }, { search, before }) {
      let query = database
        .selectFrom('saved_texts')
        .select(COLUMNS)
        .select(sql<string>`substr(text, 1, ${PREVIEW_LENGTH})`.as('preview'))
        .where('user_id', '=', userId);
      if (search) {
        query = query.where(sql<boolean>`folded like ${`%${escapeLike(search.toLowerCase())}%`} escape '\\'`);
      }
      if (before) {
        const [moment = '', id = ''] = before.split('_');
        query = query.where((row) =>
          row.or([
            row('created_at', '<', moment),
            row.and([row('created_at', '=', moment), row('id', '<', id)]),
          ]),
        );
      }
      const rows = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(PAGE + 1)
        .execute();
      const shown = rows.slice(0, PAGE);
      const last = shown.at(-1);
      const usedBytes = (await findUser(database, userId))?.storage_bytes ?? 0;
      return {
        texts: shown.map(present),
        storage: { usedBytes, limitBytes },
        next: rows.length > PAGE && last ? `${last.created_at}_${last.id}` : null,
      };
    },

    async read({ userId }, id) {
      const row = await own(userId, id).selectAll().executeTakeFirst();
      if (!row) throw noSuchText();
      return { ...present({ ...row, preview: row.text }), text: row.text };
    },

    rename: ({ userId }, id, name) =>
      withTransaction(database, async (transaction) => {
        const row = await transaction
          .updateTable('saved_texts')
          .set({ user_id: userId })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) throw noSuchText();
        const bytes = Buffer.byteLength(name) + Buffer.byteLength(row.text);
        await meter(transaction, userId, bytes - row.bytes);
        await transaction
          .updateTable('saved_texts')
          .set({ name, bytes, folded: fold(name, row.text) })
          .where('id', '=', id)
          .execute();
        return present({ ...row, name, bytes, preview: row.text });
      }),

    remove: ({ userId }, id) =>
      withTransaction(database, async (transaction) => {
        const removed = await transaction
          .deleteFrom('saved_texts')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returning('bytes')
          .executeTakeFirst();
        if (!removed) throw noSuchText();
        await meter(transaction, userId, -removed.bytes);
      }),

    async *all(userId) {
      let after = { created_at: '', id: '' };
      for (;;) {
        const rows = await database
          .selectFrom('saved_texts')
          .select([...COLUMNS, 'text'])
          .where('user_id', '=', userId)
          .where((row) =>
            row.or([
              row('created_at', '>', after.created_at),
              row.and([row('created_at', '=', after.created_at), row('id', '>', after.id)]),
            ]),
          )
          .orderBy('created_at')
          .orderBy('id')
          .limit(PAGE)
          .execute();
        for (const row of rows) yield { ...present({ ...row, preview: row.text }), text: row.text };
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last;
      }
    },
  };
}

function present(row: {
  id: string;
  name: string;
  preview: string;
  bytes: number;
  language: string;
  created_at: string;
}): SavedText {
  const { id, name, preview, bytes, language, created_at } = row;
  return { id, name, preview: headOf(preview), bytes, language, createdAt: created_at };
}

/** The first characters, whole: one outside the basic plane takes two of JavaScript's units. */
function headOf(text: string): string {
  return Array.from(text.slice(0, 2 * PREVIEW_LENGTH))
    .slice(0, PREVIEW_LENGTH)
    .join('');
}

function fold(name: string, text: string): string {
  return `${name}\n${text}`.toLowerCase();
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

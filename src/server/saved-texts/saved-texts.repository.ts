import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { STORAGE_LIMIT_BYTES } from '#contract/product';
import type {
  ListedText,
  SavedReading,
  SavedText,
  SavedTextsResponse,
  SavedWork,
  WholeText,
} from '#contract/saved-text';
import { addStorage, findUser } from '../accounts/users.repository.ts';
import type { SignedIn } from '../http/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import { changedElsewhere, noSuchText, storageFull } from './saved-texts.errors.ts';
import type { Database, SavedTextsTable, Transaction } from './saved-texts.tables.ts';
import { findWords, searchWords } from './search.ts';

const PAGE = 50;
const PREVIEW_LENGTH = 200;

/**
 * Limits of one search call in bytes and texts, and of one database read. A longer search continues with `next`, so that
 * other requests are served in between.
 */
const SEARCH_LIMITS = { bytes: 4_000_000, texts: 2_000, batchBytes: 500_000, batchTexts: 100 };

export interface NewText {
  name: string;
  text: string;
  language: string;
  /** The extraction, if the text has one. */
  reading?: SavedReading | undefined;
  /** Number of doubtful words of the extraction. */
  doubtful?: number | undefined;
}

export interface TextChange {
  name?: string | undefined;
  text?: string | undefined;
  /** Expected current version; without it any version is replaced. */
  version?: number | undefined;
  /** Edits that led to the text; ignored for a text without an extraction. */
  work?: SavedWork | undefined;
  /** Number of remaining doubtful words; unknown for a changed text if left out. */
  doubtful?: number | undefined;
}

const COLUMNS = [
  'id',
  'name',
  'bytes',
  'reading_bytes',
  'language',
  'created_at',
  'version',
  'doubtful',
] as const;

/** Texts of a user. Sizes are UTF-8 bytes with names, and are counted in the transaction that changes them. */
export class SavedTexts {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #limitBytes: number;

  constructor(database: Database, clock: Clock, limitBytes: number = STORAGE_LIMIT_BYTES) {
    this.#database = database;
    this.#clock = clock;
    this.#limitBytes = limitBytes;
  }

  /** Adds bytes to the user's storage. @throws {AppError} if the sum would exceed the limit. */
  async #countBytes(transaction: Transaction, userId: string, bytes: number): Promise<void> {
    if (!(await addStorage(transaction, userId, bytes, this.#limitBytes))) throw storageFull();
  }

  /** Texts of a user after a cursor, newest first. */
  #textsAfter(userId: string, cursor: string | undefined) {
    const texts = this.#database
      .selectFrom('saved_texts')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    if (!cursor) return texts;
    const [moment = '', id = ''] = cursor.split('_');
    return texts.where((row) =>
      row.or([row('created_at', '<', moment), row.and([row('created_at', '=', moment), row('id', '<', id)])]),
    );
  }

  async #newestPage(userId: string, before: string | undefined): Promise<Page> {
    const rows = await this.#textsAfter(userId, before)
      .select(COLUMNS)
      .select(sql<string>`substr(text, 1, ${PREVIEW_LENGTH})`.as('preview'))
      .limit(PAGE + 1)
      .execute();
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return { texts: shown.map(toSavedText), next: rows.length > PAGE && last ? cursorAt(last) : null };
  }

  async #searchPage(userId: string, words: readonly string[], before: string | undefined): Promise<Page> {
    const texts: ListedText[] = [];
    const searchPage = { bytes: 0, texts: 0 };
    let cursor = before;
    for (;;) {
      const sizes = await this.#textsAfter(userId, cursor)
        .select(['id', 'created_at', 'bytes'])
        .limit(SEARCH_LIMITS.batchTexts)
        .execute();
      const read = rowsWithinLimit(sizes);
      const last = read.at(-1);
      if (!last) return { texts, next: null };
      const ids = read.map(({ id }) => id);
      const rows = await this.#database
        .selectFrom('saved_texts')
        .select([...COLUMNS, 'text'])
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      for (const row of rows) {
        const found = findWords(row.name, row.text, words);
        if (found) texts.push({ ...toSavedText({ ...row, preview: row.text }), found });
        searchPage.bytes += row.bytes;
        searchPage.texts += 1;
        if (texts.length === PAGE) return { texts, next: cursorAt(row) };
      }
      cursor = cursorAt(last);
      const isLast = read.length === sizes.length && sizes.length < SEARCH_LIMITS.batchTexts;
      if (isLast) return { texts, next: null };
      if (searchPage.bytes >= SEARCH_LIMITS.bytes || searchPage.texts >= SEARCH_LIMITS.texts) {
        return { texts, next: cursor };
      }
      await turn();
    }
  }

  #own(userId: string, id: string) {
    return this.#database.selectFrom('saved_texts').where('user_id', '=', userId).where('id', '=', id);
  }

  /** @throws {AppError} `saved_texts.storage_full`. */
  save({ userId }: SignedIn, { name, text, language, reading, doubtful }: NewText): Promise<SavedText> {
    return withTransaction(this.#database, async (transaction) => {
      const bytes = Buffer.byteLength(name) + Buffer.byteLength(text);
      const kept = readingColumns(
        reading ? JSON.stringify(reading.extraction) : null,
        reading?.work ? JSON.stringify(reading.work) : null,
      );
      await this.#countBytes(transaction, userId, bytes + kept.reading_bytes);
      const row = {
        id: randomUUID(),
        user_id: userId,
        name,
        text,
        folded: legacyFolded(name, text),
        bytes,
        language,
        created_at: this.#clock.now().toISOString(),
        version: 1,
        doubtful: (reading && doubtful) ?? null,
        ...kept,
      };
      await transaction.insertInto('saved_texts').values(row).execute();
      return toSavedText({ ...row, preview: text });
    });
  }

  /** A page of a search may have few or no texts although there are more pages. */
  async list(
    { userId }: SignedIn,
    { search, before }: { search?: string; before?: string },
  ): Promise<SavedTextsResponse> {
    const words = searchWords(search ?? '');
    const { texts, next } = await (words.length > 0
      ? this.#searchPage(userId, words, before)
      : this.#newestPage(userId, before));
    const usedBytes = (await findUser(this.#database, userId))?.storage_bytes ?? 0;
    return { texts, storage: { usedBytes, limitBytes: this.#limitBytes }, next };
  }

  /** Null if there is no such text. */
  async find({ userId }: SignedIn, id: string): Promise<WholeText | null> {
    const row = await this.#own(userId, id).selectAll().executeTakeFirst();
    return row ? toWholeText(row) : null;
  }

  async read(person: SignedIn, id: string): Promise<WholeText> {
    const text = await this.find(person, id);
    if (!text) throw noSuchText();
    return text;
  }

  /** @throws {AppError} `saved_texts.changed_elsewhere` for another version with another text; `saved_texts.storage_full`. */
  change({ userId }: SignedIn, id: string, change: TextChange): Promise<SavedText> {
    return withTransaction(this.#database, async (transaction) => {
      const row = await transaction
        .updateTable('saved_texts')
        .set({ user_id: userId })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw noSuchText();
      const { name = row.name, text = row.text } = change;
      const isOther = text !== row.text;
      // A retry after a lost answer sends the same text.
      if (isOther && change.version !== undefined && change.version !== row.version) throw changedElsewhere();
      const changed = {
        name,
        text,
        bytes: Buffer.byteLength(name) + Buffer.byteLength(text),
        version: row.version + (isOther ? 1 : 0),
        doubtful: row.extraction ? doubtfulAfter(change, isOther, row.doubtful) : null,
        ...readingColumns(
          row.extraction,
          row.extraction && change.work ? JSON.stringify(change.work) : row.work,
        ),
      };
      const more = changed.bytes - row.bytes + changed.reading_bytes - row.reading_bytes;
      await this.#countBytes(transaction, userId, more);
      await transaction
        .updateTable('saved_texts')
        .set({ ...changed, folded: legacyFolded(name, text) })
        .where('id', '=', id)
        .execute();
      return toSavedText({ ...row, ...changed, preview: text });
    });
  }

  remove({ userId }: SignedIn, id: string): Promise<void> {
    return withTransaction(this.#database, async (transaction) => {
      const removed = await transaction
        .deleteFrom('saved_texts')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning(['bytes', 'reading_bytes'])
        .executeTakeFirst();
      if (!removed) throw noSuchText();
      await this.#countBytes(transaction, userId, -removed.bytes - removed.reading_bytes);
    });
  }

  /** All texts with extractions, oldest first, in small batches, because they may be a gigabyte. */
  async *all(userId: string): AsyncGenerator<WholeText> {
    let after = { created_at: '', id: '' };
    for (;;) {
      const sizes = await this.#database
        .selectFrom('saved_texts')
        .select(['id', 'created_at', sql<number>`bytes + reading_bytes`.as('bytes')])
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
      const read = rowsWithinLimit(sizes);
      const last = read.at(-1);
      if (!last) return;
      const ids = read.map(({ id }) => id);
      const rows = await this.#database
        .selectFrom('saved_texts')
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', 'in', ids)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      for (const row of rows) yield toWholeText(row);
      if (read.length === sizes.length && sizes.length < PAGE) return;
      after = last;
    }
  }
}

type Page = Pick<SavedTextsResponse, 'texts' | 'next'>;

const cursorAt = ({ created_at, id }: { created_at: string; id: string }) => `${created_at}_${id}`;

/** The first rows within the size of one read, at least one. */
function rowsWithinLimit<Row extends { bytes: number }>(sizes: readonly Row[]): Row[] {
  const rows: Row[] = [];
  let sum = 0;
  for (const row of sizes) {
    sum += row.bytes;
    if (rows.length > 0 && sum > SEARCH_LIMITS.batchBytes) break;
    rows.push(row);
  }
  return rows;
}

function toSavedText(row: {
  id: string;
  name: string;
  preview: string;
  bytes: number;
  reading_bytes: number;
  language: string;
  created_at: string;
  version: number;
  doubtful: number | null;
}): SavedText {
  const { id, name, preview, language, created_at, version, doubtful } = row;
  const bytes = row.bytes + row.reading_bytes;
  return { id, name, preview: previewOf(preview), bytes, language, createdAt: created_at, version, doubtful };
}

function toWholeText(row: Selectable<SavedTextsTable>): WholeText {
  const { text, extraction, work } = row;
  return {
    ...toSavedText({ ...row, preview: text }),
    text,
    ...(extraction && { reading: { extraction: JSON.parse(extraction), work: work && JSON.parse(work) } }),
  };
}

/** The doubtful words of a text after a change; null where the change did not count them. */
const doubtfulAfter = ({ doubtful, work }: TextChange, isOtherText: boolean, before: number | null) =>
  doubtful ?? (isOtherText || work ? null : before);

const readingColumns = (extraction: string | null, work: string | null) => ({
  extraction,
  work,
  reading_bytes: Buffer.byteLength(extraction ?? '') + Buffer.byteLength(work ?? ''),
});

/** The first code points: a character outside the BMP has two UTF-16 units. */
function previewOf(text: string): string {
  return Array.from(text.slice(0, 2 * PREVIEW_LENGTH))
    .slice(0, PREVIEW_LENGTH)
    .join('');
}

/** Value of the deprecated column `folded`. */
function legacyFolded(name: string, text: string): string {
  return `${name}\n${text}`.toLowerCase();
}

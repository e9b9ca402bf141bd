import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Clock } from '../platform/clock.ts';
import { withTransaction } from '../platform/database.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Database } from './jobs.tables.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** The recognized pages of one job, and the names of its files. Contains no picture. */
export interface JobTexts {
  owner: string;
  names: readonly string[];
  /** By page number: JSON. */
  pages: ReadonlyMap<number, string>;
}

/** Stores texts of jobs while the server restarts: encrypted, and for as long as a result is kept. */
export interface RestartTexts {
  /** @param until milliseconds since 1970 */
  put(id: string, texts: JobTexts, until: number): Promise<void>;
  find(id: string): Promise<{ texts: JobTexts; until: number } | null>;
  forget(id: string): Promise<void>;
  deleteOld(): Promise<void>;
}

export function createRestartTexts(database: Database, keyring: Keyring, clock: Clock): RestartTexts {
  const now = () => clock.now().toISOString();
  const purposeOf = (id: string) => `texts of job ${id}`;

  return {
    async put(id, { owner, names, pages }, until) {
      const compressed = await deflate(JSON.stringify({ owner, names, pages: [...pages] }));
      const row = {
        job_id: id,
        kept_until: new Date(until).toISOString(),
        texts: keyring.seal(compressed.toString('base64'), purposeOf(id)),
      };
      await withTransaction(database, async (transaction) => {
        // The user may have deleted the job meanwhile.
        const job = await transaction.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
        if (!job) return;
        await transaction
          .insertInto('job_texts')
          .values(row)
          .onConflict((conflict) => conflict.column('job_id').doUpdateSet(row))
          .execute();
      });
    },

    async find(id) {
      const row = await database
        .selectFrom('job_texts')
        .selectAll()
        .where('job_id', '=', id)
        .where('kept_until', '>', now())
        .executeTakeFirst();
      if (!row) return null;
      const json = await inflate(Buffer.from(keyring.unseal(row.texts, purposeOf(id)), 'base64'));
      const { owner, names, pages } = JSON.parse(json.toString());
      return { texts: { owner, names, pages: new Map(pages) }, until: Date.parse(row.kept_until) };
    },

    async forget(id) {
      await database.deleteFrom('job_texts').where('job_id', '=', id).execute();
    },

    async deleteOld() {
      await database.deleteFrom('job_texts').where('kept_until', '<=', now()).execute();
    },
  };
}

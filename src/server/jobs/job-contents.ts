import type { Extraction } from '#contract/extraction';
import { JOB_KEPT_HOURS } from '#contract/job';
import type { Clock } from '../platform/clock.ts';
import type { RestartTexts } from './restart-texts.ts';

export interface JobFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Files and texts of jobs, in the memory of this process, or in Redis if several processes share the work. The contents of a
 * job expire unless their lease is renewed, also if their process died. Files are never on a disk. Texts are on a disk only
 * while a server without Redis is stopped.
 */
export interface JobContents {
  /** Whether another process can read the contents after this one ends. */
  readonly outlivesProcess: boolean;
  /** Stores the files of a new job for `TENDED_MS`. `owner`: their user, whose storage is limited. */
  store(id: string, owner: string, files: readonly JobFile[]): Promise<'stored' | 'no memory' | 'user limit'>;
  /** Whether any contents exist. After a restart, texts may exist without files. */
  has(id: string): Promise<boolean>;
  /** A copy that may be transferred; null if the file does not exist. */
  file(id: string, number: number): Promise<Uint8Array | null>;
  name(id: string, number: number): Promise<string | null>;
  storePage(id: string, number: number, page: Extraction): Promise<void>;
  /** The page as JSON in UTF-8, because large results are parsed on a worker thread. Must not be modified. */
  page(id: string, number: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Extends the lease of jobs. Milliseconds from now. */
  renewLease(ids: readonly string[], milliseconds: number): Promise<void>;
  forget(id: string): Promise<void>;
  /** Stores the contents for the next process before this one ends. `unfinished`: ids of unfinished jobs. */
  saveForRestart(unfinished: readonly string[]): Promise<void>;
  /** Deletes expired contents. */
  deleteExpired(): Promise<void>;
  usedBytes(): Promise<number>;
}

/** Lease of contents: longer than a server takes to restart. */
export const CONTENTS_LEASE_MS = 600_000;

/** Share of the memory for the jobs of one user. */
const USER_SHARE = 1 / 4;

export interface ContentLimits {
  /** Memory for all jobs together. Bytes. */
  memoryBytes: number;
}

export const memoryLimitsOf = ({ memoryBytes }: ContentLimits) => ({
  all: memoryBytes,
  own: Math.floor(memoryBytes * USER_SHARE),
});

export const sizeOf = (files: readonly JobFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface StoredJob {
  owner: string;
  names: readonly string[];
  /** Undefined after a restart. */
  files: readonly Uint8Array[];
  pages: Map<number, Uint8Array<ArrayBuffer>>;
  bytes: number;
  until: number;
}

/** Contents in the memory of this process. */
export function createJobContents(
  clock: Clock,
  limits: ContentLimits,
  restartTexts: RestartTexts,
): JobContents {
  const jobs = new Map<string, StoredJob>();
  const shares = memoryLimitsOf(limits);

  const usedBytes = (owner?: string) =>
    [...jobs.values()]
      .filter((job) => owner === undefined || job.owner === owner)
      .reduce((sum, { bytes }) => sum + bytes, 0);

  function deleteOld(): void {
    const now = clock.now().getTime();
    for (const [id, { until }] of jobs) if (until <= now) jobs.delete(id);
  }

  async function find(id: string): Promise<StoredJob | undefined> {
    deleteOld();
    return jobs.get(id) ?? (await findSaved(id));
  }

  /** Stored by the previous process. */
  async function findSaved(id: string): Promise<StoredJob | undefined> {
    const saved = await restartTexts.find(id);
    // A parallel call may have loaded the job meanwhile. A job is put into memory before its row is deleted.
    const known = jobs.get(id);
    if (known || !saved) return known;
    const pages = new Map([...saved.texts.pages].map(([number, json]) => [number, encoder.encode(json)]));
    const bytes = [...pages.values()].reduce((sum, { length }) => sum + length, 0);
    const { owner, names } = saved.texts;
    const stored: StoredJob = { owner, names, files: [], pages, bytes, until: saved.until };
    jobs.set(id, stored);
    await restartTexts.forget(id);
    return stored;
  }

  return {
    outlivesProcess: false,

    async store(id, owner, files) {
      deleteOld();
      const bytes = sizeOf(files);
      if (usedBytes(owner) + bytes > shares.own) return 'user limit';
      if (usedBytes() + bytes > shares.all) return 'no memory';
      jobs.set(id, {
        owner,
        names: files.map(({ name }) => name),
        files: files.map((file) => file.bytes),
        pages: new Map(),
        bytes,
        until: clock.now().getTime() + CONTENTS_LEASE_MS,
      });
      return 'stored';
    },

    has: async (id) => (await find(id)) !== undefined,

    async file(id, number) {
      return (await find(id))?.files[number - 1]?.slice() ?? null;
    },

    name: async (id, number) => (await find(id))?.names[number - 1] ?? null,

    async storePage(id, number, page) {
      const job = await find(id);
      if (!job) return;
      const json = encoder.encode(JSON.stringify(page));
      job.pages.set(number, json);
      job.bytes += json.length;
    },

    page: async (id, number) => (await find(id))?.pages.get(number) ?? null,

    async renewLease(ids, milliseconds) {
      const until = clock.now().getTime() + milliseconds;
      for (const id of ids) {
        const job = await find(id);
        if (job) job.until = until;
      }
    },

    async forget(id) {
      jobs.delete(id);
      await restartTexts.forget(id);
    },

    async saveForRestart(unfinished) {
      deleteOld();
      const untilReadable = clock.now().getTime() + JOB_KEPT_HOURS.result * 3_600_000;
      for (const [id, { owner, names, pages, until }] of jobs) {
        if (pages.size === 0) continue;
        const texts = new Map([...pages].map(([number, json]) => [number, decoder.decode(json)]));
        await restartTexts.put(
          id,
          { owner, names, pages: texts },
          unfinished.includes(id) ? untilReadable : until,
        );
      }
    },

    async deleteExpired() {
      deleteOld();
      await restartTexts.deleteOld();
    },

    usedBytes: async () => usedBytes(),
  };
}

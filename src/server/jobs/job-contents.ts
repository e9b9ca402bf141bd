import type { Extraction } from '#contract/extraction';
import { JOB_KEPT_HOURS } from '#contract/job';
import type { Clock } from '../platform/clock.ts';
import type { TextsOverRestart } from './texts-over-restart.ts';

export interface JobFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Files and texts of jobs. They are stored only here: in the memory of this process, or in Redis if several share the work.
 * A job that is no longer renewed expires, even if its process died. Files are never on a disk; texts are only while a
 * server without Redis is stopped.
 */
export interface JobContents {
  /** Whether another process can read them after this one ends. */
  readonly outlivesProcess: boolean;
  /** Stores the files of a new job for `TENDED_MS`. `owner`: their user, whose storage is limited. */
  keep(id: string, owner: string, files: readonly JobFile[]): Promise<'kept' | 'no room' | 'too much'>;
  /** Whether any contents exist. After a restart, texts may exist without files. */
  has(id: string): Promise<boolean>;
  /** A copy that may be transferred; null if there is none. */
  file(id: string, number: number): Promise<Uint8Array | null>;
  name(id: string, number: number): Promise<string | null>;
  keepPage(id: string, number: number, page: Extraction): Promise<void>;
  /** The same as JSON in UTF-8, because large results are parsed on a worker thread. Must not be modified. */
  page(id: string, number: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Extends the lease of jobs. Milliseconds from now. */
  tend(ids: readonly string[], milliseconds: number): Promise<void>;
  forget(id: string): Promise<void>;
  /** Stores the contents for the next process before this one ends. `unfinished`: ids of unfinished jobs. */
  leave(unfinished: readonly string[]): Promise<void>;
  /** Deletes expired contents. */
  deleteExpired(): Promise<void>;
  held(): Promise<number>;
}

/** Lease of contents: longer than a server takes to restart. */
export const TENDED_MS = 600_000;

/** Share of the memory for the jobs of one user. */
const OWN_SHARE = 1 / 4;

export interface ContentLimits {
  /** Memory for all jobs together. Bytes. */
  memoryBytes: number;
}

export const sharesOf = ({ memoryBytes }: ContentLimits) => ({
  all: memoryBytes,
  own: Math.floor(memoryBytes * OWN_SHARE),
});

export const sizeOf = (files: readonly JobFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Kept {
  owner: string;
  names: readonly string[];
  /** Undefined after a restart. */
  files: readonly Uint8Array[];
  pages: Map<number, Uint8Array<ArrayBuffer>>;
  bytes: number;
  until: number;
}

/** Contents in the memory of this process. One closure, because every method works on the same map of jobs. */
export function createJobContents(
  clock: Clock,
  limits: ContentLimits,
  overRestart: TextsOverRestart,
): JobContents {
  const jobs = new Map<string, Kept>();
  const shares = sharesOf(limits);

  const held = (owner?: string) =>
    [...jobs.values()]
      .filter((job) => owner === undefined || job.owner === owner)
      .reduce((sum, { bytes }) => sum + bytes, 0);

  function deleteOld(): void {
    const now = clock.now().getTime();
    for (const [id, { until }] of jobs) if (until <= now) jobs.delete(id);
  }

  async function find(id: string): Promise<Kept | undefined> {
    deleteOld();
    return jobs.get(id) ?? (await findLeft(id));
  }

  /** Stored by the previous process. */
  async function findLeft(id: string): Promise<Kept | undefined> {
    const left = await overRestart.find(id);
    // Two calls may look at the same time. A job is put into memory before its row is deleted.
    const known = jobs.get(id);
    if (known || !left) return known;
    const pages = new Map([...left.texts.pages].map(([number, json]) => [number, encoder.encode(json)]));
    const bytes = [...pages.values()].reduce((sum, { length }) => sum + length, 0);
    const { owner, names } = left.texts;
    const kept: Kept = { owner, names, files: [], pages, bytes, until: left.until };
    jobs.set(id, kept);
    await overRestart.forget(id);
    return kept;
  }

  return {
    outlivesProcess: false,

    async keep(id, owner, files) {
      deleteOld();
      const bytes = sizeOf(files);
      if (held(owner) + bytes > shares.own) return 'too much';
      if (held() + bytes > shares.all) return 'no room';
      jobs.set(id, {
        owner,
        names: files.map(({ name }) => name),
        files: files.map((file) => file.bytes),
        pages: new Map(),
        bytes,
        until: clock.now().getTime() + TENDED_MS,
      });
      return 'kept';
    },

    has: async (id) => (await find(id)) !== undefined,

    async file(id, number) {
      return (await find(id))?.files[number - 1]?.slice() ?? null;
    },

    name: async (id, number) => (await find(id))?.names[number - 1] ?? null,

    async keepPage(id, number, page) {
      const job = await find(id);
      if (!job) return;
      const json = encoder.encode(JSON.stringify(page));
      job.pages.set(number, json);
      job.bytes += json.length;
    },

    page: async (id, number) => (await find(id))?.pages.get(number) ?? null,

    async tend(ids, milliseconds) {
      const until = clock.now().getTime() + milliseconds;
      for (const id of ids) {
        const job = await find(id);
        if (job) job.until = until;
      }
    },

    async forget(id) {
      jobs.delete(id);
      await overRestart.forget(id);
    },

    async leave(unfinished) {
      deleteOld();
      const untilReadable = clock.now().getTime() + JOB_KEPT_HOURS.result * 3_600_000;
      for (const [id, { owner, names, pages, until }] of jobs) {
        if (pages.size === 0) continue;
        const texts = new Map([...pages].map(([number, json]) => [number, decoder.decode(json)]));
        await overRestart.put(
          id,
          { owner, names, pages: texts },
          unfinished.includes(id) ? untilReadable : until,
        );
      }
    },

    async deleteExpired() {
      deleteOld();
      await overRestart.deleteOld();
    },

    held: async () => held(),
  };
}

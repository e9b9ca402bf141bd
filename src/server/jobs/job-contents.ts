import type { Extraction } from '#contract/extraction';
import { JOB_KEPT_HOURS } from '#contract/job';
import type { Clock } from '../platform/clock.ts';
import type { TextsOverRestart } from './texts-over-restart.ts';

export interface JobFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Files and texts of jobs, the only place where they are: memory of this process, or Redis where several share the work.
 * A job that is no longer renewed is forgotten, even when its process has died. Files are never on a disk; texts are only while a
 * server without Redis is stopped.
 */
export interface JobContents {
  /** Whether another process finds them after the end of this one. */
  readonly outlivesProcess: boolean;
  /** Stores the files of a new job for `TENDED_MS`. `owner`: their user, whose storage is limited. */
  keep(id: string, owner: string, files: readonly JobFile[]): Promise<'kept' | 'no room' | 'too much'>;
  /** Whether anything of it is there. Texts may be there without files: those of before a restart. */
  has(id: string): Promise<boolean>;
  /** A copy to be handed over; null: it is not there. */
  file(id: string, number: number): Promise<Uint8Array | null>;
  name(id: string, number: number): Promise<string | null>;
  keepPage(id: string, number: number, page: Extraction): Promise<void>;
  /** The same as JSON in UTF-8: a result of many pages is parsed on a thread of its own. To be copied, not changed. */
  page(id: string, number: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Keeps jobs for so long from now. Milliseconds. */
  tend(ids: readonly string[], milliseconds: number): Promise<void>;
  forget(id: string): Promise<void>;
  /** Lays down what the next process is to find, before this one ends. `underWay`: jobs that have not ended. */
  leave(underWay: readonly string[]): Promise<void>;
  /** Deletes contents whose lease has ended. */
  deleteExpired(): Promise<void>;
  held(): Promise<number>;
}

/** How long contents are kept after their last renewal: longer than a server takes to come back. */
export const TENDED_MS = 600_000;

/** Part of the memory that the jobs of one person may fill. */
const OWN_SHARE = 1 / 4;

export interface ContentLimits {
  /** Bytes that all jobs together may fill. */
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
  /** None after a restart. */
  files: readonly Uint8Array[];
  pages: Map<number, Uint8Array<ArrayBuffer>>;
  bytes: number;
  until: number;
}

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

  /** What the previous process has left. */
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

    async leave(underWay) {
      deleteOld();
      const untilReadable = clock.now().getTime() + JOB_KEPT_HOURS.result * 3_600_000;
      for (const [id, { owner, names, pages, until }] of jobs) {
        if (pages.size === 0) continue;
        const texts = new Map([...pages].map(([number, json]) => [number, decoder.decode(json)]));
        await overRestart.put(
          id,
          { owner, names, pages: texts },
          underWay.includes(id) ? untilReadable : until,
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

import type { Extraction } from '#contract/extraction';
import type { Clock } from '../platform/clock.ts';

/** A file of a job. `name`: for files that name it. */
export interface JobFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Files and texts of jobs, the only place where they are, and never a disk: memory of this process, or Redis where several
 * share the work. What nobody speaks up for is forgotten, whoever has died.
 */
export interface JobContents {
  /** Whether another process finds them when this one has gone. */
  readonly outlivesProcess: boolean;
  /** Takes the files of a new job in, for `TENDED_MS`. `owner`: whose it is, as many as they may have. */
  keep(id: string, owner: string, files: readonly JobFile[]): Promise<'kept' | 'no room' | 'too much'>;
  /** Whether its files are there. */
  has(id: string): Promise<boolean>;
  /** A copy to be handed over; null: it is not there. */
  file(id: string, number: number): Promise<Uint8Array | null>;
  name(id: string, number: number): Promise<string | null>;
  /** What was read on a page. Nothing, where the job is forgotten. */
  keepPage(id: string, number: number, page: Extraction): Promise<void>;
  /** The same as JSON in UTF-8: a result of many pages is parsed on a thread of its own. To be copied, not changed. */
  page(id: string, number: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Keeps jobs for so long from now. Milliseconds. */
  tend(ids: readonly string[], milliseconds: number): Promise<void>;
  forget(id: string): Promise<void>;
  /** Forgets what nobody has spoken up for. */
  forgetTheGone(): Promise<void>;
  /** What all of them take up. Bytes. */
  held(): Promise<number>;
}

/** How long what is under way is kept after somebody has last said so: longer than a server takes to come back. */
export const TENDED_MS = 600_000;

/** Part of the memory that the jobs of one person may fill. */
const OWN_SHARE = 1 / 4;

export interface ContentLimits {
  /** Bytes that all jobs together may fill. */
  memoryBytes: number;
}

/** The same with what one person may fill. */
export const sharesOf = ({ memoryBytes }: ContentLimits) => ({
  all: memoryBytes,
  own: Math.floor(memoryBytes * OWN_SHARE),
});

export const sizeOf = (files: readonly JobFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0);

interface Kept {
  owner: string;
  files: readonly JobFile[];
  pages: Map<number, Uint8Array<ArrayBuffer>>;
  bytes: number;
  until: number;
}

export function createJobContents(clock: Clock, limits: ContentLimits): JobContents {
  const jobs = new Map<string, Kept>();
  const shares = sharesOf(limits);

  const held = (owner?: string) =>
    [...jobs.values()]
      .filter((job) => owner === undefined || job.owner === owner)
      .reduce((sum, { bytes }) => sum + bytes, 0);

  function forgetOld(): void {
    const now = clock.now().getTime();
    for (const [id, { until }] of jobs) if (until <= now) jobs.delete(id);
  }

  function find(id: string): Kept | undefined {
    forgetOld();
    return jobs.get(id);
  }

  return {
    outlivesProcess: false,

    async keep(id, owner, files) {
      forgetOld();
      const bytes = sizeOf(files);
      if (held(owner) + bytes > shares.own) return 'too much';
      if (held() + bytes > shares.all) return 'no room';
      jobs.set(id, { owner, files, pages: new Map(), bytes, until: clock.now().getTime() + TENDED_MS });
      return 'kept';
    },

    has: async (id) => find(id) !== undefined,

    async file(id, number) {
      return find(id)?.files[number - 1]?.bytes.slice() ?? null;
    },

    name: async (id, number) => find(id)?.files[number - 1]?.name ?? null,

    async keepPage(id, number, page) {
      const job = find(id);
      if (!job) return;
      const json = new TextEncoder().encode(JSON.stringify(page));
      job.pages.set(number, json);
      job.bytes += json.length;
    },

    page: async (id, number) => find(id)?.pages.get(number) ?? null,

    async tend(ids, milliseconds) {
      const until = clock.now().getTime() + milliseconds;
      for (const id of ids) {
        const job = find(id);
        if (job) job.until = until;
      }
    },

    async forget(id) {
      jobs.delete(id);
    },

    forgetTheGone: async () => forgetOld(),
    held: async () => held(),
  };
}

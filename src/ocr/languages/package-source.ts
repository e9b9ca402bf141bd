/** Where packages with languages' data come from: what every such place has in common, and how something is downloaded. */

/** Which package holds a language's data, and by what it is known. `scripts/language-pins.ts` writes them. */
export interface LanguagePin {
  version: string;
  /** Of the package as it is published: `sha512-` or `sha256-`, and the hash in base64. */
  integrity: string;
  /** Its size. */
  bytes: number;
  /** Where the data lies in it; gzipped, if its name says so. */
  file: string;
  /** The size of the data. */
  unpacked: number;
}

export type LanguagePins = Readonly<Record<string, LanguagePin>>;

export interface PackageSource {
  /** What it can be asked for on this machine, by language: nothing where there is no way to it. */
  pins(): Promise<LanguagePins>;
  /**
   * A package as it was published, in pieces as they come in. Nothing is promised about what it holds.
   * @throws when the place cannot be reached, does not have it, or stands still
   */
  open(code: string, version: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * The tar archive, gzipped or not, of a package that lies in a file and is what was pinned.
   * @throws while it is read, where it is none
   */
  archiveIn(file: string, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** A place that says nothing for so long has gone. */
const SILENCE_MS = 20_000;

export interface Download {
  /** @throws unless it is answered with what was asked for */
  ask(address: URL, headers: Record<string, string>): Promise<Response>;
  /** What comes, as it comes; ends the download. */
  told(response: Response): AsyncIterable<Uint8Array>;
}

/** Several questions, one after the other, to somebody who must not be silent for long. */
export function beginDownload(whom: string, outer: AbortSignal): Download {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`${whom} stood still`));
  const signal = AbortSignal.any([outer, silence.signal]);
  let timer: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, SILENCE_MS).unref();
  };
  return {
    async ask(address, headers) {
      heard();
      const answer = await fetch(address, { headers, signal });
      heard();
      if (answer.ok && answer.body) return answer;
      await answer.body?.cancel();
      clearTimeout(timer);
      throw new Error(answer.ok ? `${whom} sent nothing` : `${whom} answered ${answer.status}`);
    },
    async *told({ body }) {
      try {
        for await (const piece of body ?? []) {
          heard();
          yield piece;
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

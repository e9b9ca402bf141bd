/** Sources of packages with languages' data: their common interface, and the download. */

/** The package of a language's data, with its pin. `scripts/language-pins.ts` writes them. */
export interface LanguagePin {
  version: string;
  /** Of the published package: `sha512-` or `sha256-`, and the hash in base64. */
  integrity: string;
  /** Its size. */
  bytes: number;
  /** Path of the data in the package; gzipped, if its name says so. */
  file: string;
  /** The size of the data. */
  unpacked: number;
}

export type LanguagePins = Readonly<Record<string, LanguagePin>>;

export interface PackageSource {
  /** The available packages on this machine, by language: empty where the source cannot be used. */
  pins(): Promise<LanguagePins>;
  /**
   * A published package, in chunks. Its content is not verified.
   * @throws when the source cannot be reached, does not have it, or stalls
   */
  open(code: string, version: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /**
   * The tar archive, gzipped or not, of a downloaded package that matches its pin.
   * @throws while it is read, where it is not an archive
   */
  archiveIn(file: string, signal: AbortSignal): AsyncIterable<Buffer>;
}

/** A source that sends nothing for this time counts as unreachable. */
const SILENCE_MS = 20_000;

export interface Download {
  /** @throws unless the response is a success */
  ask(address: URL, headers: Record<string, string>): Promise<Response>;
  /** The response's chunks as they arrive; ends the download. */
  withProgress(response: Response): AsyncIterable<Uint8Array>;
}

/** Several requests, one after the other, to a server that must not be silent for long. */
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
    async *withProgress({ body }) {
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

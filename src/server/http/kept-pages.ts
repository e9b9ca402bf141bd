interface Keepable {
  isCanonical: boolean;
  bytes: Buffer;
}

export interface KeptPages<Page extends Keepable> {
  /**
   * The page of `given` in this `minute`, rendered once by `make` for all parallel requests. Pages at a non-canonical address
   * are rendered for each request.
   * @param given all inputs of `make`, as text: equal inputs get the same page
   */
  get(minute: string, given: string, make: () => Promise<Page>): Promise<Page>;
}

/** Enough for all canonical pages in a few variants. */
const MAX_PAGES = 300;
/** Uncompressed size of cached documents; compressed copies add less than half. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Caches pages for the minute that they show. The oldest are evicted first. */
export function createKeptPages<Page extends Keepable>({
  mostPages = MAX_PAGES,
  mostBytes = MAX_BYTES,
} = {}): KeptPages<Page> {
  let current = '';
  let pages = new Map<string, { page: Promise<Page>; bytes: number }>();
  /**
   * Pages at a non-canonical address. They do not wait for each other's rendering, because requests would then render and
   * compress in lockstep and leave a processor idle.
   */
  let strays = new Set<string>();

  function makeRoom(): void {
    let bytes = 0;
    for (const kept of pages.values()) bytes += kept.bytes;
    for (const [given, kept] of pages) {
      if (pages.size <= mostPages && bytes <= mostBytes) return;
      pages.delete(given);
      bytes -= kept.bytes;
    }
  }

  function begin(given: string, make: () => Promise<Page>): Promise<Page> {
    const among = pages;
    const kept = { page: make(), bytes: 0 };
    among.set(given, kept);
    const amongStrays = strays;
    const forget = () => void among.delete(given);
    kept.page.then(({ isCanonical, bytes }) => {
      if (!isCanonical) {
        if (amongStrays.size < mostPages) amongStrays.add(given);
        return forget();
      }
      kept.bytes = bytes.length;
      makeRoom();
    }, forget);
    return kept.page;
  }

  return {
    async get(minute, given, make) {
      if (minute !== current) {
        current = minute;
        pages = new Map();
        strays = new Set();
      }
      if (strays.has(given)) return make();
      const kept = pages.get(given);
      if (!kept) return begin(given, make);
      const page = await kept.page.catch(() => undefined);
      return page?.isCanonical ? page : make();
    },
  };
}

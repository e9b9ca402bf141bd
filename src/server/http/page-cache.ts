interface CacheablePage {
  isCanonical: boolean;
  bytes: Buffer;
}

export interface PageCache<Page extends CacheablePage> {
  /**
   * The page of `key` in this `minute`. `render` runs once for all parallel requests. Pages at a non-canonical address are
   * rendered for each request.
   * @param key all inputs of `render`, as text: equal inputs get the same page
   */
  get(minute: string, key: string, render: () => Promise<Page>): Promise<Page>;
}

/** Number of cached pages: enough for all canonical pages in a few variants. */
const MAX_PAGES = 300;
/** Uncompressed size of cached documents; compressed copies add less than half. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Caches pages for one minute, because a page contains the current minute. Evicts the oldest pages first. */
export function createPageCache<Page extends CacheablePage>({
  maxPages = MAX_PAGES,
  maxBytes = MAX_BYTES,
} = {}): PageCache<Page> {
  let current = '';
  let pages = new Map<string, { page: Promise<Page>; bytes: number }>();
  /**
   * Keys of pages at a non-canonical address. Their requests do not wait for each other's rendering, because they would then
   * render and compress in lockstep and leave a processor idle.
   */
  let nonCanonicalKeys = new Set<string>();

  function evictOldest(): void {
    let bytes = 0;
    for (const entry of pages.values()) bytes += entry.bytes;
    for (const [key, entry] of pages) {
      if (pages.size <= maxPages && bytes <= maxBytes) return;
      pages.delete(key);
      bytes -= entry.bytes;
    }
  }

  function startRendering(key: string, render: () => Promise<Page>): Promise<Page> {
    const currentPages = pages;
    const entry = { page: render(), bytes: 0 };
    currentPages.set(key, entry);
    const currentNonCanonicalKeys = nonCanonicalKeys;
    const forget = () => void currentPages.delete(key);
    entry.page.then(({ isCanonical, bytes }) => {
      if (!isCanonical) {
        if (currentNonCanonicalKeys.size < maxPages) currentNonCanonicalKeys.add(key);
        return forget();
      }
      entry.bytes = bytes.length;
      evictOldest();
    }, forget);
    return entry.page;
  }

  return {
    async get(minute, key, render) {
      if (minute !== current) {
        current = minute;
        pages = new Map();
        nonCanonicalKeys = new Set();
      }
      if (nonCanonicalKeys.has(key)) return render();
      const entry = pages.get(key);
      if (!entry) return startRendering(key, render);
      const page = await entry.page.catch(() => undefined);
      return page?.isCanonical ? page : render();
    },
  };
}

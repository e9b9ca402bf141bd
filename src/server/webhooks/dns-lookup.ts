import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Resolves a name, until the signal aborts. Rejects with `NameUnresolved`. */
export type DnsLookup = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** The name servers gave no address, or not in time. */
export class NameUnresolved extends Error {
  override name = 'NameUnresolved';
}

/** Timeout of one query; each name server is queried twice. Milliseconds. */
const QUERY_TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Timeout of a whole lookup. */
const LOOKUP_MS = 4_000;
/** How long to wait for addresses of the other family. */
const OTHER_FAMILY_MS = 500;

/**
 * Queries the name servers directly. `dns.lookup` occupies one of the few threads of the process until the system's timeout,
 * which cannot be shortened, so names without a responding server would block sign-in and payments.
 * @param servers the system's name servers by default
 */
export function createDnsLookup(servers?: readonly string[]): DnsLookup {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const timers = [setTimeout(cancel, LOOKUP_MS)];
    signal.addEventListener('abort', cancel, { once: true });
    const limitOtherFamily = (found: string[]) => {
      timers.push(setTimeout(cancel, OTHER_FAMILY_MS));
      return found;
    };
    try {
      signal.throwIfAborted();
      const [v4, v6] = await Promise.allSettled([
        resolver.resolve4(host).then(limitOtherFamily),
        resolver.resolve6(host).then(limitOtherFamily),
      ]);
      const found = [
        ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ];
      if (found.length > 0) return found;
      throw new NameUnresolved('the name has no address', {
        cause: v4.status === 'rejected' ? v4.reason : undefined,
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      for (const timer of timers) clearTimeout(timer);
    }
  };
}

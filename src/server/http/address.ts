import { createHmac } from 'node:crypto';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../platform/clock.ts';

/** A client's network address as it may be stored: hashed with a key, differently every day. */
export interface AddressGroups {
  /** An IPv4 address, or the /64 of an IPv6 address: about one household or office. */
  address: string;
  /** The /48 of an IPv6 address: about one customer of a provider, who has 65,536 of the above. */
  network?: string;
}

export function createAddressOf(clock: Clock, key: string): (request: FastifyRequest) => AddressGroups {
  // Cached, because each limit and the quota need it.
  const found = new WeakMap<FastifyRequest, AddressGroups>();
  return (request) => {
    const groups =
      found.get(request) ?? groupAddress(request.ip, clock.now().toISOString().slice(0, 10), key);
    found.set(request, groups);
    return groups;
  };
}

/** `ip` is text as Node gives it; `day` is `2026-01-31`. */
export function groupAddress(ip: string, day: string, key: string): AddressGroups {
  const hash = (text: string) =>
    createHmac('sha256', key).update(`${day} ${text}`).digest('base64url').slice(0, 22);
  const { address, network } = groupOf(ip);
  return { address: hash(address), ...(network !== undefined && { network: hash(network) }) };
}

/** Like `groupAddress`, without hashing, for data that is not stored. */
export function groupOf(ip: string): AddressGroups {
  // A zone ("fe80::1%eth0") identifies an interface of this machine, not the client.
  const [plain = ''] = withoutPort(ip).split('%', 1);
  if (!ipaddr.isValid(plain)) return { address: 'unknown' };
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return { address: parsed.toString() };
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  return { address: `${[a, b, c, d].join(':')}/64`, network: `${[a, b, c].join(':')}/48` };
}

/** Some proxies forward an address together with its port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function withoutPort(ip: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(ip) ?? [];
  const [, ipv4] = /^([\d.]{7,15}):\d{1,5}$/.exec(ip) ?? [];
  return bracketed ?? ipv4 ?? ip;
}

/** Fastify's `trustProxy`: a number of proxies, or networks. */
export function trustedBy(proxies: false | number | string[]) {
  if (proxies === false) return false;
  if (typeof proxies === 'number') return (_address: string, hop: number) => hop < proxies;
  const isTrusted = proxyAddress.compile(proxies);
  return (address: string, hop: number) => isTrusted(withoutPort(address), hop);
}

/**
 * Warns once about an unconfigured proxy: behind it, all visitors share the limits of one address.
 */
export function warnOfUntrustedForwarding(app: FastifyInstance, trustProxy: false | number | string[]): void {
  if (trustProxy !== false) return;
  let warned = false;
  app.addHook('onRequest', async (request) => {
    if (warned) return;
    const header = ['x-forwarded-for', 'forwarded', 'x-real-ip'].find((name) => name in request.headers);
    if (!header) return;
    warned = true;
    app.log.warn({ header }, 'an untrusted forwarding header arrived; behind a proxy, set TRUST_PROXY');
  });
}

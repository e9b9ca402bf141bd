import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { BRAND } from '#contract/product';
import { createDnsLookup, type DnsLookup, NameUnresolved } from './dns-lookup.ts';

/*
 * Requests to user-supplied URLs, with protection against SSRF: only public addresses are called. The addresses are checked
 * in the lookup of the connection itself, so DNS rebinding has no effect.
 */

/**
 * `public`: public hosts only. A list: these origins as well, which the operator trusts. `anywhere`: also localhost, at any
 * port and over http, for developers of a receiver.
 */
export type WebhookTargets = 'public' | 'anywhere' | readonly string[];

/** Whether the operator trusts an origin, so that its addresses are not checked. */
const isTrusted = ({ origin }: URL, targets: WebhookTargets): boolean =>
  targets === 'anywhere' || (targets !== 'public' && targets.includes(origin));

const PORTS: readonly string[] = ['', '443', '8443'];
const MAX_HOST_LENGTH = 253;

/** Special-purpose IPv4 ranges (IANA's registry), and multicast. */
const SPECIAL_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Only 2000::/3 of IPv6 is global unicast. This excludes loopback, link-local and unique local addresses, multicast,
 * IPv4-mapped addresses (::ffff:0:0/96), and NAT64 (64:ff9b::/96, 64:ff9b:1::/48). Within it, tunnels that end at an IPv4
 * address of the sender's choice and documentation addresses are excluded.
 */
const GLOBAL_V6: [string, number] = ['2000::', 3];
const SPECIAL_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_V4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) special.addSubnet(network, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_V6, 'ipv6');

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Suffixes without public servers: special-use names (RFC 6761, 6762, 7686, 9476), `arpa` with `home.arpa`, names of private
 * networks (RFC 6762, appendix G), `mail`, which ICANN does not delegate, and the defaults `localdomain` and `fritz.box` of
 * routers. The local network of this server could answer their lookup.
 */
const INTERNAL_SUFFIXES: readonly string[] = [
  ...['alt', 'arpa', 'invalid', 'local', 'localhost', 'onion', 'test'],
  ...['corp', 'home', 'internal', 'intranet', 'lan', 'localdomain', 'mail', 'private', 'fritz.box'],
];

const isInternalName = (name: string): boolean =>
  INTERNAL_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[/, '').replace(/\]$/, '');

/**
 * Checks a webhook URL by its text. The IP addresses of its host are checked with each attempt.
 */
export function isCallable(address: string, targets: WebhookTargets): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const { protocol, username, password, port, hostname } = url;
  if (username !== '' || password !== '' || hostname === '' || hostname.length > MAX_HOST_LENGTH)
    return false;
  if (isTrusted(url, targets)) return protocol === 'https:' || protocol === 'http:';
  if (protocol !== 'https:' || !PORTS.includes(port)) return false;
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, '').toLowerCase();
  return name.includes('.') && !isInternalName(name);
}

/** The host resolves to a forbidden address. */
class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** Fails if any of the addresses is forbidden. */
function publicLookup(lookup: DnsLookup, signal: AbortSignal): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, signal).then(
      (addresses) => {
        if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
          return callback(new AddressRefused('the name resolves to a forbidden address'), []);
        }
        const [first] = addresses;
        if (options.all || !first) return callback(null, addresses);
        return callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

/** The outcome of an attempt; only the status of a response is used. */
export type DeliveryResult =
  | { status: number }
  | {
      error: 'address_refused' | 'unreachable' | 'timed_out';
      /** The name has no address, or its name servers do not answer. */
      dnsFailed?: true;
    };

export interface WebhookCallerOptions {
  targets: WebhookTargets;
  /** For tests; the system's name servers by default. */
  lookup?: DnsLookup;
  /** Timeout of a whole attempt. Milliseconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const HEADER_BYTES = 8 * 1024;

/** Posts JSON without redirects, keep-alive or a proxy. */
export function createWebhookCaller({
  targets,
  lookup = createDnsLookup(),
  timeoutMs = TIMEOUT_MS,
}: WebhookCallerOptions) {
  return (
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<DeliveryResult> => {
    if (!isCallable(address, targets)) return Promise.resolve({ error: 'address_refused' });
    const url = new URL(address);
    const request = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const signal = AbortSignal.timeout(timeoutMs);
    /** Whether a lookup is in progress. */
    let isResolving = false;
    const trackedLookup: DnsLookup = (host, lookupSignal) => {
      isResolving = true;
      return lookup(host, lookupSignal).finally(() => {
        isResolving = false;
      });
    };
    return new Promise((resolve) => {
      const fail = (error: Error) => {
        const kind = signal.aborted ? 'timed_out' : 'unreachable';
        if (error instanceof AddressRefused) resolve({ error: 'address_refused' });
        else if (isResolving || error instanceof NameUnresolved) resolve({ error: kind, dnsFailed: true });
        else resolve({ error: kind });
      };
      const sending = request(
        url,
        {
          method: 'POST',
          // Not the global agent, which may use a proxy.
          agent: false,
          maxHeaderSize: HEADER_BYTES,
          signal,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': BRAND.name,
            connection: 'close',
            ...headers,
          },
          ...(!isTrusted(url, targets) && { lookup: publicLookup(trackedLookup, signal) }),
        },
        (response) => {
          resolve({ status: response.statusCode ?? 0 });
          response.destroy();
        },
      );
      sending.on('error', fail);
      sending.end(body);
    });
  };
}
export type WebhookCaller = ReturnType<typeof createWebhookCaller>;

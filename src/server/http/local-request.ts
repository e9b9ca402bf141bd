import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether a request certainly comes from localhost: without any sign of a proxy, of another machine, or of a foreign name
 * that resolves to here (DNS rebinding).
 */
export function createLocalRequestCheck({
  host,
  publicUrl,
}: {
  host: string;
  publicUrl: string;
}): (request: FastifyRequest) => boolean {
  if (!isLoopback(host) || !isLoopback(new URL(publicUrl).hostname)) return () => false;
  // Cached, because a page needs it several times.
  const found = new WeakMap<FastifyRequest, boolean>();
  return (request) => {
    const known = found.get(request);
    if (known !== undefined) return known;
    const own =
      !FORWARDING.some((name) => name in request.headers) &&
      isLoopback(request.hostname) &&
      isLoopback(request.socket.remoteAddress ?? '');
    found.set(request, own);
    return own;
  };
}

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  if (plain === 'localhost') return true;
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === 'loopback';
}

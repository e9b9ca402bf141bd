import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * Whether nobody but this machine's own user can have sent this: everything that could mean a proxy or another machine
 * speaks against it, and so does a foreign name that was made to lead here.
 */
export function isOwnMachine(
  { host, publicUrl }: { host: string; publicUrl: string },
  request: FastifyRequest,
): boolean {
  const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].some(
    (name) => name in request.headers,
  );
  return (
    !forwarded &&
    isLoopback(host) &&
    isLoopback(new URL(publicUrl).hostname) &&
    isLoopback(request.hostname) &&
    isLoopback(request.socket.remoteAddress ?? '')
  );
}

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  if (plain === 'localhost') return true;
  return ipaddr.isValid(plain) && ipaddr.process(plain).range() === 'loopback';
}

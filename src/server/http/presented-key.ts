import type { FastifyRequest } from 'fastify';

const BEARER = /^bearer(?: (.*))?$/i;

/**
 * What a program sends as its key, whatever it is worth; undefined when it sends none. Other schemes are not for us: a proxy
 * in front may ask people for a password of its own.
 */
export function presentedKey({
  headers: { authorization },
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  const found = authorization === undefined ? null : BEARER.exec(authorization);
  return found ? (found[1] ?? '').trim() : undefined;
}

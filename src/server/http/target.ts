import { API_PREFIX } from '#contract/paths';

/** The raw request target: path and query, controlled by the sender. */

/** Unreserved characters, whose percent-encoding is redundant, and path separators. */
const REDUNDANTLY_ENCODED = /[\w.~/\\-]/;

/** Number of characters of the target that are compared. */
const MAX_COMPARED_LENGTH = 200;

/**
 * Whether a target is ambiguous. The router and the proxies before it may decode such a target differently, so an attacker
 * could find a spelling that an access rule misses.
 */
export function isAmbiguous(target: string): boolean {
  const path = pathOf(target);
  return (
    !path.startsWith('/') ||
    target.includes('#') ||
    path.includes('//') ||
    path.includes('\\') ||
    path.split('/').some((part) => part === '.' || part === '..') ||
    [...path.matchAll(/%([\da-f]{2})/gi)].some(([, code = '']) => isRedundant(Number.parseInt(code, 16)))
  );
}

/** U+0000 is rejected elsewhere. */
const isRedundant = (code: number): boolean =>
  (code > 0 && code < 0x20) || code === 0x7f || REDUNDANTLY_ENCODED.test(String.fromCharCode(code));

/**
 * Whether this target is below the API path. It decides only whether an error is JSON or a page; the route checks access.
 */
export function isApiTarget(target: string): boolean {
  const path = pathOf(target.slice(0, MAX_COMPARED_LENGTH))
    .replace(/^https?:\/\/[^/\\]*/i, '')
    .replaceAll(/%([\da-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts[0]}/` === API_PREFIX;
}

/** The path without the query. */
export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? '';
}

import { API_PREFIX } from '#contract/paths';

/** The raw request target: path and query, controlled by the sender. */

/** Unreserved characters, whose percent-encoding is redundant, and path separators. */
const NEEDLESSLY_CODED = /[\w.~/\\-]/;

/** Longest path segment that is compared. */
const TELLING = 200;

/**
 * Whether a target is ambiguous. The router and proxies in front may decode it differently, so an attacker could find a
 * spelling that a rule misses.
 */
export function isOdd(target: string): boolean {
  const path = pathOf(target);
  return (
    !path.startsWith('/') ||
    target.includes('#') ||
    path.includes('//') ||
    path.includes('\\') ||
    path.split('/').some((part) => part === '.' || part === '..') ||
    [...path.matchAll(/%([\da-f]{2})/gi)].some(([, code = '']) => isNeedless(Number.parseInt(code, 16)))
  );
}

/** U+0000 is rejected elsewhere. */
const isNeedless = (code: number): boolean =>
  (code > 0 && code < 0x20) || code === 0x7f || NEEDLESSLY_CODED.test(String.fromCharCode(code));

/**
 * Whether this target is meant for the API. Decides only whether an error is JSON or a page; access is checked by the route.
 */
export function meansApi(target: string): boolean {
  const path = pathOf(target.slice(0, TELLING))
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

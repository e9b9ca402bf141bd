import { API_PREFIX } from '#contract/paths';

/** A request's address as it came: path and query in one line, under the sender's control. */

/** Characters that mean the same with and without their code, or that part a path. */
const NEEDLESSLY_CODED = /[\w.~/\\-]/;

/** A longer part of an address says no more about its purpose. */
const TELLING = 200;

/**
 * Whether an address can be read in two ways. The router decodes it, and so may a proxy in front, each in its own way:
 * an attacker who can write one path in several ways will find one that a rule misses.
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

/** U+0000 is left to those who refuse it wherever it comes from. */
const isNeedless = (code: number): boolean =>
  (code > 0 && code < 0x20) || code === 0x7f || NEEDLESSLY_CODED.test(String.fromCharCode(code));

/**
 * Whether the sender of this address wanted the API. It decides only whether a refusal is JSON or a page; access is
 * checked by the route that answers.
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

/** An address without its query. */
export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? '';
}

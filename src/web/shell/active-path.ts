import { PAGES } from '#contract/paths';

/** Whether a link stands for where the reader is. Home only exactly; the others also for what lies beneath them. */
export function isActivePath(link: string, pathname: string): boolean {
  const current = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  if (link === PAGES.home) return current === PAGES.home;
  return current === link || current.startsWith(`${link}/`);
}

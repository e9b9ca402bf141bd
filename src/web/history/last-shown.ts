/* The result on the screen, so that a reload shows it again. */

const KEY = 'last-shown-result';

/** For the tab alone; of an installed app also for the next time that it is opened, which is another session. */
const places = (): readonly Storage[] =>
  window.matchMedia('(display-mode: standalone)').matches ? [sessionStorage, localStorage] : [sessionStorage];

/** The id of the result; null if nothing was shown. */
export function lastShown(): string | null {
  try {
    return places().reduce<string | null>((found, place) => found ?? place.getItem(KEY), null);
  } catch {
    return null;
  }
}

export function rememberShown(id: string | null): void {
  try {
    for (const place of places()) {
      if (id === null) place.removeItem(KEY);
      else place.setItem(KEY, id);
    }
  } catch {
    // A browser that keeps nothing shows nothing again.
  }
}

import { MAX_LANGUAGES } from '#contract/languages';

const KEY = 'languages';

/** The languages that were chosen last in this browser, as far as this server still reads them; none otherwise. */
export function recallLanguages(available: readonly string[]): readonly string[] {
  return readStorage()
    .split('+')
    .filter((code) => available.includes(code))
    .slice(0, MAX_LANGUAGES);
}

export function rememberLanguages(codes: readonly string[]): void {
  try {
    localStorage.setItem(KEY, codes.join('+'));
  } catch {
    // A browser that stores nothing asks again next time.
  }
}

/** Ticks or unticks one. The first that was ticked is the main one; one too many cannot be ticked. */
export function toggleLanguage(chosen: readonly string[], code: string): readonly string[] {
  if (!chosen.includes(code)) return chosen.length < MAX_LANGUAGES ? [...chosen, code] : chosen;
  return chosen.filter((one) => one !== code);
}

function readStorage(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

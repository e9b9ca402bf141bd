import { MAX_LANGUAGES } from '#contract/languages';

const KEY = 'languages';

/** The languages that were last chosen in this browser, without those that the server no longer reads. */
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
    // A browser without local storage forgets the choice.
  }
}

/** Adds or removes a language. The first one is the main language. Above the maximum, nothing is added. */
export function toggleLanguage(chosen: readonly string[], code: string): readonly string[] {
  if (!chosen.includes(code)) return chosen.length < MAX_LANGUAGES ? [...chosen, code] : chosen;
  return chosen.filter((other) => other !== code);
}

function readStorage(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

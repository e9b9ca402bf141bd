import { BUILT_IN_LANGUAGE, MAX_LANGUAGES } from '#contract/languages';

const KEY = 'languages';

/** The languages that were chosen last in this browser, as far as this server still reads them; English otherwise. */
export function recallLanguages(available: readonly string[]): readonly string[] {
  const kept = readStorage()
    .split('+')
    .filter((code) => available.includes(code))
    .slice(0, MAX_LANGUAGES);
  return kept.length > 0 ? kept : [BUILT_IN_LANGUAGE];
}

export function rememberLanguages(codes: readonly string[]): void {
  try {
    localStorage.setItem(KEY, codes.join('+'));
  } catch {
    // A browser that stores nothing asks again next time.
  }
}

/** Ticks or unticks one. The first that was ticked is the main one; the last cannot be unticked, nor one too many ticked. */
export function toggleLanguage(chosen: readonly string[], code: string): readonly string[] {
  if (!chosen.includes(code)) return chosen.length < MAX_LANGUAGES ? [...chosen, code] : chosen;
  return chosen.length > 1 ? chosen.filter((one) => one !== code) : chosen;
}

function readStorage(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

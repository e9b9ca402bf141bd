import { readdir } from 'node:fs/promises';
import { BUILT_IN_LANGUAGE } from '#contract/languages';

export interface Language {
  /** Tesseract's, such as `deu` or `chi_sim`. */
  code: string;
  /** In English. */
  name: string;
}

/** The languages whose data lies in the folders, English first and the rest by name. */
export interface Languages {
  list(): Promise<readonly Language[]>;
}

const FILE = /^([a-z]{3}(?:_[a-z]+)*)\.traineddata$/;

/** Data that reads no language: orientation, and formulas. */
const NO_LANGUAGES = new Set(['osd', 'equ']);

/** Tesseract goes by older codes here and there, which today's names of languages do not know. */
const NAMES: Readonly<Record<string, string>> = {
  chi: 'Chinese',
  frk: 'German (Fraktur)',
  frm: 'Middle French',
  enm: 'Middle English',
};
const VARIANTS: Readonly<Record<string, string>> = {
  sim: 'simplified',
  tra: 'traditional',
  vert: 'vertical',
  cyrl: 'Cyrillic',
  latn: 'Latin',
  latf: 'Fraktur',
  frak: 'Fraktur',
  old: 'old',
};

/** An operator may add a language while the server runs: the folders are looked at anew every minute. */
const FRESH_MS = 60_000;

export function createLanguages(directories: readonly string[]): Languages {
  let known: { languages: readonly Language[]; until: number } | undefined;
  return {
    async list() {
      const now = performance.now();
      if (known && now < known.until) return known.languages;
      const languages = await scan(directories);
      known = { languages, until: now + FRESH_MS };
      return languages;
    },
  };
}

async function scan(directories: readonly string[]): Promise<Language[]> {
  const codes = new Set<string>();
  for (const directory of directories) {
    // A folder that is not there (yet) holds no languages.
    for (const file of await readdir(directory).catch(() => [])) {
      const code = FILE.exec(file)?.[1];
      if (code && !NO_LANGUAGES.has(code)) codes.add(code);
    }
  }
  codes.delete(BUILT_IN_LANGUAGE);
  const others = [...codes].map((code) => ({ code, name: nameOf(code) }));
  others.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return [{ code: BUILT_IN_LANGUAGE, name: nameOf(BUILT_IN_LANGUAGE) }, ...others];
}

const names = new Intl.DisplayNames('en', { type: 'language' });

function nameOf(code: string): string {
  const [base = code, ...variants] = code.split('_');
  const name = NAMES[base] ?? names.of(base) ?? base;
  if (variants.length === 0) return name;
  return `${name} (${variants.map((variant) => VARIANTS[variant] ?? variant).join(', ')})`;
}

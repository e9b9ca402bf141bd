import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { languagesResponseSchema } from '#contract/languages';
import { languageTags } from '#formats/positioned-text';
import { recognition } from '../api/client.ts';

export type OfferedLanguage = z.infer<typeof languagesResponseSchema>['languages'][number];

export interface LanguageGroup {
  title: string;
  languages: readonly OfferedLanguage[];
}

/** Group titles in their order on the page. */
const TITLES = {
  europe: 'European languages',
  latin: 'Other languages in Latin letters',
  eastAsia: 'Chinese, Japanese, Korean',
  southAsia: 'South and Southeast Asian scripts',
  arabic: 'Arabic, Hebrew and related scripts',
  other: 'Other scripts',
  special: 'Old prints, and any language of a script',
} as const;

/** Region codes of the members of the Council of Europe and their neighbors. */
const EUROPE_CODES =
  'AD AL AM AT AZ BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GE GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM TR UA VA XK';
const EUROPEAN_REGIONS = new Set(EUROPE_CODES.split(' '));
/** Languages whose likely region is outside Europe or missing. */
const OTHER_EUROPEAN = new Set(['en', 'pt', 'eo']);
const EUROPEAN_SCRIPTS = new Set(['Latn', 'Cyrl', 'Grek', 'Armn', 'Geor']);

const GROUP_OF_SCRIPT: Readonly<Record<string, keyof typeof TITLES>> = {
  ...groupOf('Latn', 'latin'),
  ...groupOf('Hans Hant Jpan Kore', 'eastAsia'),
  ...groupOf('Beng Deva Gujr Guru Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt', 'southAsia'),
  ...groupOf('Arab Hebr Syrc', 'arabic'),
};

function groupOf(scripts: string, group: keyof typeof TITLES) {
  return Object.fromEntries(scripts.split(' ').map((script) => [script, group]));
}

/** Historic languages, and models of a whole script, whose codes start with a capital letter. */
const SPECIAL_CODE = /^[A-Z]|^(?:enm|frk|frm|grc)$|_(?:frk|latf|old)$/;

const localeOf = ({ code }: Pick<OfferedLanguage, 'code'>): Intl.Locale | null => {
  const [tag] = languageTags(code);
  return tag === undefined ? null : new Intl.Locale(tag).maximize();
};

function groupOfLanguage(language: OfferedLanguage): keyof typeof TITLES {
  if (SPECIAL_CODE.test(language.code)) return 'special';
  const { language: name = '', script = '', region = '' } = localeOf(language) ?? {};
  if (EUROPEAN_SCRIPTS.has(script) && (EUROPEAN_REGIONS.has(region) || OTHER_EUROPEAN.has(name)))
    return 'europe';
  return GROUP_OF_SCRIPT[script] ?? 'other';
}

/**
 * Groups the languages by region and script. The first group has the `suggested` languages and those of the browser.
 * @param browser BCP 47 tags
 */
export function groupLanguages(
  languages: readonly OfferedLanguage[],
  suggested: readonly string[],
  browser: readonly string[],
): LanguageGroup[] {
  const browserLanguages = new Set(browser.map((tag) => tag.split('-')[0]));
  const isOfBrowser = (language: OfferedLanguage) =>
    !SPECIAL_CODE.test(language.code) && browserLanguages.has(localeOf(language)?.language);
  const isSuggested = (language: OfferedLanguage) =>
    suggested.includes(language.code) || isOfBrowser(language);
  const rest = languages.filter((language) => !isSuggested(language));
  const groups: LanguageGroup[] = [
    { title: 'Chosen, found and those of your browser', languages: languages.filter(isSuggested) },
    ...Object.entries(TITLES).map(([group, title]) => ({
      title,
      languages: rest.filter((language) => groupOfLanguage(language) === group),
    })),
  ];
  return groups.filter((group) => group.languages.length > 0);
}

/** Script codes and the most common language, by the engine's names of scripts. */
const NAMED_SCRIPTS: Readonly<Record<string, { scripts: readonly string[]; common: string }>> = {
  Arabic: { scripts: ['Arab'], common: 'ara' },
  Bengali: { scripts: ['Beng'], common: 'ben' },
  Chinese: { scripts: ['Hans', 'Hant'], common: 'chi_sim' },
  Cyrillic: { scripts: ['Cyrl'], common: 'rus' },
  Devanagari: { scripts: ['Deva'], common: 'hin' },
  Georgian: { scripts: ['Geor'], common: 'kat' },
  Greek: { scripts: ['Grek'], common: 'ell' },
  Hebrew: { scripts: ['Hebr'], common: 'heb' },
  Japanese: { scripts: ['Jpan'], common: 'jpn' },
  Korean: { scripts: ['Kore'], common: 'kor' },
  Tamil: { scripts: ['Taml'], common: 'tam' },
  Thai: { scripts: ['Thai'], common: 'tha' },
};

/**
 * The languages with this script. Languages of the browser are first, then the most common one.
 * @param script English name that the engine uses
 * @param browser BCP 47 tags
 */
export function languagesOfScript(
  languages: readonly OfferedLanguage[],
  script: string,
  browser: readonly string[],
): OfferedLanguage[] {
  const known = NAMED_SCRIPTS[script];
  if (!known) return [];
  const spoken = new Set(browser.map((tag) => new Intl.Locale(tag).maximize().language));
  const rank = ({ code }: OfferedLanguage) => {
    if (spoken.has(localeOf({ code })?.language ?? '') && !code.endsWith('_vert')) return 0;
    return code === known.common ? 1 : 2;
  };
  return languages
    .filter(
      ({ code }) => !SPECIAL_CODE.test(code) && known.scripts.includes(localeOf({ code })?.script ?? ''),
    )
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Lower case without accents, so that "francais" matches "Français". */
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A language's name in the language itself and in the languages of the browser. */
function otherNames({ code }: OfferedLanguage, browser: readonly string[]): string[] {
  const [tag] = languageTags(code);
  if (tag === undefined) return [];
  return [tag, ...browser].map((locale) => {
    try {
      return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? '';
    } catch {
      return '';
    }
  });
}

/**
 * The languages whose code or name contains `search`: in English, in the language itself or in a browser language. An
 * empty search returns all.
 */
export function searchLanguages(
  languages: readonly OfferedLanguage[],
  search: string,
  browser: readonly string[],
): readonly OfferedLanguage[] {
  const wanted = withoutAccents(search.trim());
  if (wanted === '') return languages;
  return languages.filter((language) =>
    [language.name, language.code, ...otherNames(language, browser)].some((name) =>
      withoutAccents(name).includes(wanted),
    ),
  );
}

/** The languages of this server, with those that the user may choose. */
export const languagesQuery = queryOptions({
  queryKey: ['api', 'languages'],
  queryFn: async ({ signal }) => (await recognition.ask('GET /api/languages', { signal })).languages,
});

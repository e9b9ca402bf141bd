import { expect, test } from 'vitest';
import {
  groupLanguages,
  languagesOfScript,
  type OfferedLanguage,
  searchLanguages,
} from './language-groups.ts';

/** The languages and scripts of tesseract's published models. */
const PUBLISHED = `
  afr amh ara asm aze aze_cyrl bel ben bod bos bre bul cat ceb ces chi_sim chi_sim_vert chi_tra
  chi_tra_vert chr cos cym dan deu deu_latf div dzo ell eng enm epo est eus fao fas fil fin fra
  frk frm fry gla gle glg grc guj hat heb hin hrv hun hye iku ind isl ita ita_old jav jpn jpn_vert
  kan kat kat_old kaz khm kir kmr kor kor_vert lao lat lav lit ltz mal mar mkd mlt mon mri msa mya
  nep nld nor oci ori pan pol por pus que ron rus san sin slk slv snd spa spa_old sqi srp srp_latn
  sun swa swe syr tam tat tel tgk tha tir ton tur uig ukr urd uzb uzb_cyrl vie yid yor Arabic
  Armenian Bengali Canadian_Aboriginal Cherokee Cyrillic Devanagari Ethiopic Fraktur Georgian
  Greek Gujarati Gurmukhi HanS HanS_vert HanT HanT_vert Hangul Hangul_vert Hebrew Japanese
  Japanese_vert Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Syriac Tamil Telugu Thaana
  Thai Tibetan Vietnamese
`;
const NAMES: Readonly<Record<string, string>> = {
  deu: 'German',
  deu_latf: 'German (Fraktur)',
  frk: 'German (Fraktur)',
};
const ALL: OfferedLanguage[] = PUBLISHED.trim()
  .split(/\s+/)
  .map((code) => ({ code, name: NAMES[code] ?? code, allowed: true, installed: true }));
const codes = (languages: readonly OfferedLanguage[]) => languages.map(({ code }) => code);

test('groupLanguages: each language of the engine is in exactly one group', () => {
  const groups = groupLanguages(ALL, ['deu'], ['en-US', 'fr']);
  expect(codes(groups.flatMap(({ languages }) => languages)).toSorted()).toEqual(codes(ALL).toSorted());
});

test('groupLanguages: the first group has the suggested languages and those of the browser', () => {
  const [first] = groupLanguages(ALL, ['tha'], ['en-US', 'fr']);
  expect(codes(first!.languages)).toEqual(['eng', 'fra', 'tha']);
});

test.each([
  ['European languages', ['deu', 'rus', 'ell', 'por', 'tur', 'eng', 'epo'], ['vie', 'yid', 'deu_latf']],
  ['Other languages in Latin letters', ['vie', 'swa', 'ind'], ['deu']],
  ['Chinese, Japanese, Korean', ['chi_sim', 'chi_tra_vert', 'jpn', 'kor'], ['mon']],
  ['South and Southeast Asian scripts', ['hin', 'tha', 'khm', 'tam'], ['ara']],
  ['Arabic, Hebrew and related scripts', ['ara', 'heb', 'fas', 'yid', 'uig'], ['hin']],
  ['Other scripts', ['amh', 'chr', 'iku', 'kaz'], ['rus']],
  ['Old prints, and any language of a script', ['frk', 'ita_old', 'grc', 'Cyrillic'], ['ita']],
])('groupLanguages: "%s" contains %j and not %j', (title, within, without) => {
  const group = groupLanguages(ALL, [], []).find((each) => each.title === title);
  expect(codes(group?.languages ?? [])).toEqual(expect.arrayContaining(within));
  expect(codes(group?.languages ?? [])).not.toEqual(expect.arrayContaining(without));
});

test.each([
  ['german', ['deu', 'deu_latf', 'frk']],
  ['Deutsch', ['deu']],
  ['espanol', ['spa']],
  ['allemand', ['deu']],
  ['日本', ['jpn']],
  ['klingon', []],
])('searchLanguages: "%s" finds %j', (search, expected) => {
  const found = codes(searchLanguages(ALL, search, ['fr']));
  expect(found).toEqual(expect.arrayContaining(expected));
  if (expected.length === 0) expect(found).toEqual([]);
});

test.each([
  ['Cyrillic', ['en'], 'rus'],
  ['Cyrillic', ['en', 'uk'], 'ukr'],
  ['Chinese', ['zh-TW'], 'chi_sim'],
  ['Japanese', ['en'], 'jpn'],
])('languagesOfScript: for %s and browser languages %j the first is %3$s', (script, browser, expected) => {
  expect(codes(languagesOfScript(ALL, script, browser))[0]).toBe(expected);
});

test('languagesOfScript: returns all languages of the script and no others', () => {
  expect(codes(languagesOfScript(ALL, 'Chinese', [])).toSorted()).toEqual([
    'chi_sim',
    'chi_sim_vert',
    'chi_tra',
    'chi_tra_vert',
  ]);
  expect(languagesOfScript(ALL, 'Klingon', [])).toEqual([]);
});

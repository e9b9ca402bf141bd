/** Which languages a text may be in, by its runs of three letters. */
import { francAll } from 'franc';

/** franc's codes for what tesseract's data calls otherwise, of the languages that have data. */
const CALLED: Readonly<Record<string, string>> = {
  nob: 'nor',
  nno: 'nor',
  zlm: 'msa',
  ekk: 'est',
  lvs: 'lav',
  uzn: 'uzb',
  swh: 'swa',
  azj: 'aze',
  als: 'sqi',
};

/**
 * The larger languages in Latin letters. Their neighbours and dialects are left out: a short Spanish text is as often taken for
 * Galician as for Spanish.
 */
const JUDGED = [
  ...['afr', 'cat', 'ces', 'dan', 'deu', 'eng', 'epo', 'eus', 'fin', 'fra', 'hrv', 'hun', 'ind', 'ita'],
  ...['lit', 'nld', 'pol', 'por', 'ron', 'slk', 'slv', 'spa', 'swe', 'tur', 'vie'],
  ...Object.keys(CALLED),
];

/**
 * @param text a few words at least
 * @returns codes as tesseract's data has them, the likeliest first, each with its likeness in shares of the first one's
 */
export function identifyLanguage(text: string): [code: string, likeness: number][] {
  return francAll(text, { only: JUDGED }).map(([code, likeness]) => [CALLED[code] ?? code, likeness]);
}

/** Identifies the likely languages of a text by its trigrams. */

/** franc's codes that differ from those of tesseract's data, for languages with data. */
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
 * The larger languages in Latin letters. Their neighbors and dialects are left out: a short Spanish text is as often taken
 * for Galician as for Spanish.
 */
const JUDGED = [
  ...['afr', 'cat', 'ces', 'dan', 'deu', 'eng', 'epo', 'eus', 'fin', 'fra', 'hrv', 'hun', 'ind', 'ita'],
  ...['lit', 'nld', 'pol', 'por', 'ron', 'slk', 'slv', 'spa', 'swe', 'tur', 'vie'],
  ...Object.keys(CALLED),
];

/**
 * @param text at least a few words
 * @returns codes of tesseract's data, the likeliest first, each with its likeness relative to the first one's
 */
export async function identifyLanguage(text: string): Promise<[code: string, likeness: number][]> {
  // Most texts are in the language that they were read in, and its tables are large.
  const { francAll } = await import('franc');
  return francAll(text, { only: JUDGED }).map(([code, likeness]) => [CALLED[code] ?? code, likeness]);
}

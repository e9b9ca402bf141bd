/** Identifies the likely languages of a text by its trigrams. */

/** franc's codes that differ from those of tesseract's data, for languages with data. */
const TESSERACT_CODES: Readonly<Record<string, string>> = {
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
 * Widely used languages in Latin script, without smaller ones that resemble them: a short Spanish text is identified as
 * Galician as often as Spanish.
 */
const CANDIDATES = [
  ...['afr', 'cat', 'ces', 'dan', 'deu', 'eng', 'epo', 'eus', 'fin', 'fra', 'hrv', 'hun', 'ind', 'ita'],
  ...['lit', 'nld', 'pol', 'por', 'ron', 'slk', 'slv', 'spa', 'swe', 'tur', 'vie'],
  ...Object.keys(TESSERACT_CODES),
];

/**
 * @param text at least a few words
 * @returns codes of tesseract's data, the likeliest first, each with its likeness relative to the first one's
 */
export async function identifyLanguage(text: string): Promise<[code: string, likeness: number][]> {
  // Loaded on demand: its tables are large, and most texts are in the language that they were read in.
  const { francAll } = await import('franc');
  const likenesses = new Map<string, number>();
  for (const [code, likeness] of francAll(text, { only: CANDIDATES })) {
    const own = TESSERACT_CODES[code] ?? code;
    // Both Norwegian languages have one data file: the likelier one counts.
    if (!likenesses.has(own)) likenesses.set(own, likeness);
  }
  return [...likenesses];
}

import { MAX_LANGUAGES } from '#contract/languages';
import { recognition } from '../../../api/client.ts';
import type { ExtractionAnswer } from '../tool/extraction-state.ts';

/** The first of them tells the script, the second one the language among those of the script. */
const MAX_READINGS_MORE = 2;

/** Of pictures that were read before: the same one is not read in the wrong language again. */
const foundIn = new WeakMap<File, readonly string[]>();

/**
 * Reads a picture, and again in the language that its text turns out to be in, as long as the server reads that for
 * this person. The same picture again is not counted. Returns the reading of greater confidence: a reading in the found
 * language that fails, or is worse, leaves the first one with its notice.
 * @param readIn `found`: the name of the language, for progress; null for the first reading
 */
export async function readFindingLanguage(
  file: File,
  start: readonly string[],
  readIn: (languages: readonly string[], found: string | null) => Promise<ExtractionAnswer>,
): Promise<ExtractionAnswer> {
  let best = await readIn(foundIn.get(file) ?? start, null);
  for (let more = 0; more < MAX_READINGS_MORE; more += 1) {
    if (!best.ok) return best;
    const { likelyLanguage: found, language, confidence } = best.extraction;
    const read = language.split('+');
    if (!found || read.includes(found.code) || !(await isAllowed(found.code))) return best;
    // Together with the languages it was read in: pages in one language quote others.
    const codes = [found.code, ...read].slice(0, MAX_LANGUAGES);
    const again = await readIn(codes, found.name);
    if (!again.ok || again.extraction.confidence < confidence) return best;
    foundIn.set(file, codes);
    best = again;
  }
  return best;
}

async function isAllowed(wanted: string): Promise<boolean> {
  try {
    const { languages } = await recognition.ask('GET /api/languages', {});
    return languages.some(({ code, allowed }) => code === wanted && allowed);
  } catch {
    // The text that is there stands; its notice offers the other language.
    return false;
  }
}

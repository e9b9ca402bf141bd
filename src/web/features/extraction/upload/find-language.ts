import { MAX_LANGUAGES } from '#contract/languages';
import { recognition } from '../../../api/client.ts';
import type { ExtractionAnswer } from '../tool/extraction-state.ts';

/** The first retry may find the script, the second one the language in that script. */
const MAX_RETRIES = 2;

/** The found languages of pictures, so that the same picture is not read in the wrong language again. */
const foundLanguages = new WeakMap<File, readonly string[]>();

/**
 * Reads a picture, and reads it again in the likely language of its text if the user may use that language. Repeated readings
 * of a picture are not counted. Returns the result with the highest confidence: if a repeated reading fails or is worse, the
 * previous result stays with its notice.
 * @param readIn `found`: the name of the found language, for the progress; null for the first reading
 */
export async function readFindingLanguage(
  file: File,
  start: readonly string[],
  readIn: (languages: readonly string[], found: string | null) => Promise<ExtractionAnswer>,
): Promise<ExtractionAnswer> {
  let best = await readIn(foundLanguages.get(file) ?? start, null);
  for (let retry = 0; retry < MAX_RETRIES; retry += 1) {
    if (!best.ok) return best;
    const { likelyLanguage: found, language, confidence } = best.extraction;
    const read = language.split('+');
    if (!found || read.includes(found.code) || !(await isAllowed(found.code))) return best;
    // Keeps the languages of the first reading, because pages in one language quote others.
    const codes = [found.code, ...read].slice(0, MAX_LANGUAGES);
    const again = await readIn(codes, found.name);
    if (!again.ok || again.extraction.confidence < confidence) return best;
    foundLanguages.set(file, codes);
    best = again;
  }
  return best;
}

async function isAllowed(wanted: string): Promise<boolean> {
  try {
    const { languages } = await recognition.ask('GET /api/languages', {});
    return languages.some(({ code, allowed }) => code === wanted && allowed);
  } catch {
    // The first result stays. Its notice offers the other language.
    return false;
  }
}

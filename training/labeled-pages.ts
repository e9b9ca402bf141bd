/** Pages with ground truth for training: receipts of the corpus, and rendered pages. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Random, randomFrom } from '../scripts/random.ts';
import { dataIn } from '../src/ocr/languages/language-data.ts';
import { Lexicons } from '../src/ocr/languages/lexicon.ts';
import { type LabeledLine, renderPage } from './render-page.ts';
import { type LineSource, lineSource } from './text-source.ts';

export interface LabeledPage {
  name: string;
  bytes: Uint8Array;
  lines: LabeledLine[];
  /** False if the ground truth is in capitals, whatever the image shows. */
  cased: boolean;
}

/** The receipts of one folder of the corpus, such as `receipts/training`. */
export function* receipts(folder: string): Generator<LabeledPage> {
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()) {
    const truth = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as {
      lines: { text: string; box: [number, number, number, number] }[];
    };
    const lines = truth.lines.map(({ text, box: [x, y, width, height] }) => ({
      text,
      box: { x, y, width, height },
    }));
    const bytes = readFileSync(path.join(folder, name.replace('.json', '.jpg')));
    yield { name, bytes, lines, cased: false };
  }
}

/** Creates a generator of lines from the words of a language. */
export type SourceOf = (words: readonly string[], random: Random) => LineSource;

/** Renders pages; the same seed gives the same pages with the same installed fonts. `fonts`: names of font families. */
export async function* renderedPages(
  count: number,
  seed: number,
  fonts: readonly string[] = latinFonts(),
  sourceOf: SourceOf = lineSource,
): AsyncGenerator<LabeledPage> {
  const random: Random = randomFrom(seed);
  const words = [...new Lexicons(dataIn([])).of(['eng']).words()].filter((word) =>
    /^[A-Za-z][A-Za-z'-]*$/.test(word),
  );
  const source = sourceOf(words, random);
  for (let page = 0; page < count; page++) {
    const { bytes, lines } = await renderPage(random, source, fonts);
    yield { name: `rendered ${seed}/${page}`, bytes, lines, cased: true };
  }
}

/** Installed font families that imitate handwriting. Some lack letters that `latinFonts` requires. */
export function handwritingFonts(): string[] {
  const list = execFileSync('fc-list', [':lang=en', 'family'], { encoding: 'utf8' });
  const families = list.split('\n').map((line) => line.split(',')[0]!.trim());
  const handwriting =
    /^(because we|breip|comic neue|dancing script|dkghandwriting|ecolier|femkeklaver|kaushan script|rufscript|z003|caveat|cedarville|allura|herr von muellerhoff|homemade apple|indie flower|kalam|marck script|patrick hand|reenie beanie|sacramento|shadows into light|swanky)/i;
  return [...new Set(families)].filter((family) => handwriting.test(family)).sort();
}

/** Installed font families with accented Latin letters, without symbol fonts and fonts with small capitals for lowercase. */
function latinFonts(): string[] {
  const list = execFileSync('fc-list', [':lang=en:lang=de:lang=pl', 'family'], { encoding: 'utf8' });
  const families = list.split('\n').map((line) => line.split(',')[0]!.trim());
  const excluded = /math|symbol|caps|emoji|unslanted|D050000L|icon|barcode|Dunhill/i;
  return [...new Set(families)].filter((family) => family && !excluded.test(family)).sort();
}

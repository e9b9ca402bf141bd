import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, describeLanguage } from '#ocr';
import { draw, type Sample } from './languages/draw.ts';
import { characterErrorRate } from './measure.ts';

/** Folder of Debian's language packages; English is built in. */
const DATA = '/usr/share/tesseract-ocr/5/tessdata';
/** Accepted increase of the character error rate over the figures of the languages page, which has other fonts. */
const SLACK = 0.02;

const all = JSON.parse(readFileSync(new URL('languages/texts.json', import.meta.url), 'utf8')) as Sample[];
/** Texts in Latin script, for which installed fonts suffice; `npm run bench:languages` measures other scripts. */
const samples = all
  .filter(({ language }) => describeLanguage(language).script === 'Latn')
  .filter(({ language }) => language === 'eng' || existsSync(join(DATA, `${language}.traineddata`)))
  .map((sample) => ({ ...sample, serif: 'DejaVu Serif', sans: 'DejaVu Sans' }));

/** Character error rates in percent, as the languages page shows them. */
const figures = (
  JSON.parse(
    readFileSync(new URL('../src/web/features/languages/figures.json', import.meta.url), 'utf8'),
  ) as { languages: Record<string, { clean: { glyphlift: number } } | undefined> }
).languages;

const engine = createEngine({
  maxPixels: 50_000_000,
  concurrency: 2,
  queueLimit: 100,
  premiumReserve: 0,
  timeoutMs: 60_000,
  languageDirs: existsSync(DATA) ? [DATA] : [],
});

beforeAll(() => engine.ready());
afterAll(() => engine.close());

const letters = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[‘’ʻʼ]/g, "'")
    .replace(/\s+/g, '');

describe('recognize: a page in each installed language of Latin script', () => {
  it.each(samples.map((sample) => [describeLanguage(sample.language).name, sample] as const))(
    '%s keeps its letters, whichever of them the secondary recognizer knows',
    async (_, sample) => {
      const picture = new Uint8Array(await draw(sample, 'clean'));
      const { text } = await engine.recognize(picture, { languages: [sample.language] });
      const wrong = characterErrorRate(letters(text), letters(sample.paragraphs.join('\n')));
      const before = (figures[sample.language]?.clean.glyphlift ?? 0) / 100;
      expect(wrong, text).toBeLessThanOrEqual(before + SLACK);
    },
  );
});

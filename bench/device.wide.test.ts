import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { createEngine } from '#ocr';
import { languagesPath } from '../scripts/test-programs.mjs';
import { toExtraction } from '../src/answer/answer.ts';
import { INCOMPLETE_PICTURES } from '../tests/support/broken-pictures.ts';
import { type DevicePage, openDevicePage } from '../tests/support/device-page.ts';
import { languageData, type PackagedLanguage } from '../tests/support/language-files.ts';
import { fixture } from '../tests/support/pictures.ts';
import { CLASSES, STYLES } from './drawn-pages.ts';
import { draw, type Sample } from './languages/draw.ts';
import { addCounts, countWords, exactTokens, f1 } from './measure.ts';

/** Tests every fourth style of each class, which covers every size, dark and light. */
const STYLE_STEP = 4;
const MIN_F1 = 0.998;
/** Number of pictures whose text may differ in a character. */
const MAX_DIFFERENT = 1;
const TIME_LIMIT_MS = 900_000;

const CASES = path.join(import.meta.dirname, 'cases');

async function pictures(): Promise<[name: string, bytes: Uint8Array][]> {
  const cases = readdirSync(CASES).filter((name) => !name.endsWith('.txt'));
  const drawn = CLASSES.flatMap(({ name, lines, draw }, shift) =>
    STYLES.filter((_, at) => at % STYLE_STEP === shift % STYLE_STEP).map(
      async (style): Promise<[string, Uint8Array]> => [
        `${name} in ${style.font} ${style.size}`,
        await draw(lines, style),
      ],
    ),
  );
  return [
    ...cases.map((name): [string, Uint8Array] => [
      name,
      new Uint8Array(readFileSync(path.join(CASES, name))),
    ]),
    ...(await Promise.all(drawn)),
  ];
}

/** Fonts that are installed wherever the suites run. */
const FONTS = { serif: 'DejaVu Serif', sans: 'DejaVu Sans' };
const samples = JSON.parse(
  readFileSync(new URL('languages/texts.json', import.meta.url), 'utf8'),
) as Sample[];

/** A folder with a language of the test's packages. */
async function unpacked(code: PackagedLanguage): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'languages-'));
  await writeFile(path.join(folder, `${code}.traineddata`), languageData(code));
  return folder;
}

/** The layout without boxes and confidences, which may differ by rounding. */
const structureOf = ({ layout }: Extraction) =>
  JSON.parse(
    JSON.stringify(layout, (key, value) => (key === 'box' || key === 'confidence' ? undefined : value)),
  );

/** German, and a language that no model in the browser supports. */
const LANGUAGES = [languagesPath(), await unpacked('tha')];

const engine = createEngine({
  maxPixels: 100_000_000,
  concurrency: 2,
  queueLimit: 100,
  premiumReserve: 0,
  timeoutMs: 120_000,
  languageDirs: LANGUAGES,
});
let device: DevicePage;

beforeAll(async () => {
  [device] = await Promise.all([openDevicePage({ languageDirs: LANGUAGES }), engine.ready()]);
});
afterAll(async () => {
  await Promise.all([device?.close(), engine.close()]);
});

describe('reading in Chromium', () => {
  it(
    'gives the letters and the layout of the server on forty pictures',
    async () => {
      const all = await pictures();
      expect(all.length).toBeGreaterThanOrEqual(40);
      const others: string[] = [];
      const counts = [];
      for (const [name, bytes] of all) {
        const { extraction } = await device.read(bytes, true);
        const server = toExtraction(
          await engine.recognize(bytes.slice(), { languages: ['eng'], filter: true }),
        );
        counts.push(countWords(exactTokens(extraction.extractedText), exactTokens(server.extractedText)));
        if (extraction.extractedText !== server.extractedText)
          others.push(`${name}:\n${extraction.extractedText}\nserver:\n${server.extractedText}`);
        else expect(structureOf(extraction), name).toEqual(structureOf(server));
      }
      expect(f1(addCounts(counts)), others.join('\n\n')).toBeGreaterThanOrEqual(MIN_F1);
      expect(others.length, others.join('\n\n')).toBeLessThanOrEqual(MAX_DIFFERENT);
    },
    TIME_LIMIT_MS,
  );

  it(
    'gives the letters and the layout of the server in German, whose data it fetches once',
    async () => {
      const german = samples.filter(({ language }) => language === 'deu');
      expect(german.length).toBeGreaterThan(0);
      for (const sample of german) {
        const bytes = new Uint8Array(await draw({ ...sample, ...FONTS }, 'clean'));
        const { extraction } = await device.read(bytes, true, 'deu');
        const server = toExtraction(
          await engine.recognize(bytes.slice(), { languages: ['deu'], filter: true }),
        );
        expect(server.extractedText).toMatch(/[äöüß]/);
        expect(extraction.extractedText).toBe(server.extractedText);
        expect(structureOf(extraction)).toEqual(structureOf(server));
        expect(extraction.language).toBe('deu');
      }
      expect(
        device.requestedPaths.filter((address) => /^\/api\/languages\/deu\/\w{64}$/.test(address)),
      ).toHaveLength(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'refuses a language that only tesseract reads',
    async () => {
      const [, bytes] = (await pictures())[0]!;
      await expect(device.read(bytes, true, 'tha')).rejects.toThrow('tha needs the server');
    },
    TIME_LIMIT_MS,
  );

  // The image is truncated: the server fills missing rows by repeating rows above.
  it.each(INCOMPLETE_PICTURES.filter(([what]) => !what.includes('claims more')))(
    'gives the text and the notices of the server for %s',
    async (_, make) => {
      const bytes = new Uint8Array(await make());
      const { extraction } = await device.read(bytes, true);
      const server = toExtraction(
        await engine.recognize(bytes.slice(), { languages: ['eng'], filter: true }),
      );
      expect(server.notices.map(({ code }) => code)).toContain('incomplete');
      expect(extraction.notices).toEqual(server.notices);
      expect(extraction.extractedText).toBe(server.extractedText);
    },
    TIME_LIMIT_MS,
  );

  it(
    'opens a HEIC with the library of the server, which it fetches for the first one',
    async () => {
      const decoder = () => device.requestedPaths.filter((address) => address.includes('heic-worker'));
      expect(decoder()).toEqual([]);
      for (const name of ['upright.heic', 'turned.heic'] as const) {
        const bytes = new Uint8Array(fixture(name));
        const { extraction } = await device.read(bytes, true);
        const server = toExtraction(
          await engine.recognize(bytes.slice(), { languages: ['eng'], filter: true }),
        );
        expect(extraction.extractedText).toBe(server.extractedText);
        expect(extraction.layout).toEqual(server.layout);
        expect(extraction.image).toEqual(server.image);
      }
      expect(decoder().length).toBeGreaterThan(0);
      expect(new Set(decoder()).size).toBe(1);
    },
    TIME_LIMIT_MS,
  );

  it(
    'gives the same letters in a page that is not isolated, where the detector has one thread',
    async () => {
      const apart = await openDevicePage({ isolated: false });
      try {
        for (const [name, bytes] of (await pictures()).slice(0, 5)) {
          const [own, isolated] = [await apart.read(bytes, true), await device.read(bytes, true)];
          expect(own.extraction.extractedText, name).toBe(isolated.extraction.extractedText);
        }
      } finally {
        await apart.close();
      }
    },
    TIME_LIMIT_MS,
  );

  it('requests the files of the engine once, and sends no picture', () => {
    const files = device.requestedPaths.filter((address) => /\.(onnx|json|gz|wasm)$/.test(address));
    expect(files).toHaveLength(new Set(files).size);
    expect(files).toHaveLength(6);
  });
});

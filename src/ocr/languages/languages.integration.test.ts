import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { componentStart, languageData } from '../../../tests/support/language-files.ts';
import { FIXTURE_TEXT, fixture } from '../../../tests/support/pictures.ts';
import { createEngine } from '../engine.ts';
import { OCR_ERRORS } from '../errors.ts';
import { findLanguages, listLanguages } from './language-data.ts';
import { describeLanguage, knownLanguageCodes } from './languages.ts';

const LSTM_MODEL = 17;
const WORD_GRAPH = 19;
const LSTM_CHARACTERS = 21;

const folder = mkdtempSync(path.join(tmpdir(), 'glyphlift-languages-'));
const engine = createEngine({
  maxPixels: 1_000_000,
  concurrency: 1,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 20_000,
  languageDirs: [path.join(folder, 'not-there'), folder],
});
const english = languageData('eng');

function put(code: string, data: Uint8Array): void {
  writeFileSync(path.join(folder, `${code}.traineddata`), data);
}

function overwritten(from: number, length: number, byte: (index: number) => number): Buffer {
  const copy = Buffer.from(english);
  for (let index = 0; index < length; index++) copy[from + index] = byte(index);
  return copy;
}

/** Bytes without a pattern, the same in every run. */
const noise = (index: number): number => (Math.imul(index + 1, 2_654_435_761) >>> 13) & 255;

beforeAll(() => engine.ready());
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe('engine: a language', () => {
  it('is listed once its file is in a folder, and reads', async () => {
    put('mine', english);
    expect((await engine.languages()).map((language) => language.code)).toEqual(['eng', 'mine']);
    const { text, language } = await engine.recognize(fixture('harbour-lights.png'), { languages: ['mine'] });
    expect(text).toBe(FIXTURE_TEXT);
    expect(language).toBe('mine');
    rmSync(path.join(folder, 'mine.traineddata'));
    expect((await engine.languages()).map((language) => language.code)).toEqual(['eng']);
  });

  it('that is named twice is loaded once', async () => {
    const { language } = await engine.recognize(fixture('harbour-lights.png'), {
      languages: ['eng', 'eng'],
    });
    expect(language).toBe('eng');
  });

  it('is refused when it is unknown or one of too many', async () => {
    for (const languages of [[], ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'], ['osd']]) {
      await expect(engine.recognize(fixture('harbour-lights.png'), { languages })).rejects.toMatchObject({
        code: OCR_ERRORS.languageUnavailable,
      });
    }
  });
});

describe('engine: unusable data is refused by name, and the same process reads the next picture', () => {
  const cases: [string, (file: string) => void][] = [
    ['missing', () => {}],
    ['empty', () => put('bad', Buffer.alloc(0))],
    ['three bytes long', () => put('bad', Buffer.from([24, 0, 0]))],
    ['noise', () => put('bad', Buffer.from(Uint8Array.from({ length: 100_000 }, (_, i) => noise(i))))],
    ['cut within its table', () => put('bad', english.subarray(0, 100))],
    [
      'cut within its model',
      () => put('bad', english.subarray(0, componentStart(english, LSTM_MODEL) + 9_999)),
    ],
    [
      'cut within its words',
      () => put('bad', english.subarray(0, componentStart(english, WORD_GRAPH) + 9_999)),
    ],
    [
      'without a model',
      () =>
        put(
          'bad',
          overwritten(4 + LSTM_MODEL * 8, 8, () => 255),
        ),
    ],
    [
      'without a set of characters',
      () =>
        put(
          'bad',
          overwritten(4 + LSTM_CHARACTERS * 8, 8, () => 255),
        ),
    ],
    [
      'whole but for a model of zeros',
      () =>
        put(
          'bad',
          overwritten(componentStart(english, LSTM_MODEL), 300_000, () => 0),
        ),
    ],
    [
      'whole but for a model of noise',
      () => put('bad', overwritten(componentStart(english, LSTM_MODEL), 300_000, noise)),
    ],
    [
      'whole but for noise in the midst of its model',
      () => put('bad', overwritten(componentStart(english, LSTM_MODEL) + 300, 2_000, noise)),
    ],
    ['a folder', (file) => mkdirSync(file)],
    ['a FIFO without a writer', (file) => execFileSync('mkfifo', [file])],
  ];

  it.each(cases)('%s', async (_, make) => {
    const pid = engine.status().pid;
    const file = path.join(folder, 'bad.traineddata');
    make(file);
    try {
      await expect(
        engine.recognize(fixture('harbour-lights.png'), { languages: ['bad'] }),
      ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
      await expect(
        engine.recognize(fixture('harbour-lights.png'), { languages: ['eng', 'bad'] }),
      ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
      expect((await engine.recognize(fixture('harbour-lights.png'))).text).toBe(FIXTURE_TEXT);
      expect(engine.status().pid).toBe(pid);
    } finally {
      rmSync(file, { recursive: true, force: true });
    }
  });
});

describe('listLanguages', () => {
  it('leaves out files with a damaged header, and reports the reason on request', async () => {
    put('cut', english.subarray(0, 5_000));
    put('osd', english);
    put('Not a language', english);
    mkdirSync(path.join(folder, 'dir.traineddata'));
    expect((await listLanguages([folder])).map(({ code }) => code)).toEqual(['eng']);
    const files = await findLanguages([folder]);
    const problems = files.filter(({ problem }) => problem !== undefined);
    expect(Object.fromEntries(problems.map(({ code, problem }) => [code, problem]))).toEqual({
      cut: 'is cut short',
      dir: 'is not a regular file',
    });
  });

  it('takes a language from the first folder that has it', async () => {
    const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
    mkdirSync(first);
    mkdirSync(second);
    for (const each of [first, second]) writeFileSync(path.join(each, 'deu.traineddata'), english);
    const found = await findLanguages([first, second]);
    expect(found.find(({ code }) => code === 'deu')?.file).toBe(path.join(first, 'deu.traineddata'));
  });

  it('is in the order of English names', async () => {
    put('chi_sim', english);
    put('ara', english);
    expect((await listLanguages([folder])).map(({ name }) => name)).toEqual([
      'Arabic',
      'Chinese (Simplified)',
      'English',
    ]);
  });
});

describe('describeLanguage', () => {
  it('returns names, script and direction', () => {
    expect(describeLanguage('heb')).toEqual({
      code: 'heb',
      name: 'Hebrew',
      nativeName: 'עברית',
      tag: 'he',
      script: 'Hebr',
      direction: 'rtl',
      vertical: false,
    });
    expect(describeLanguage('jpn_vert')).toMatchObject({ tag: 'ja', vertical: true, direction: 'ltr' });
  });

  it('returns the code of an unknown language as its name', () => {
    expect(describeLanguage('runes')).toMatchObject({ name: 'runes', script: 'Zyyy', tag: 'und' });
  });

  it('returns a valid Intl tag, a script and unique names for every known code', () => {
    const codes = knownLanguageCodes();
    expect(codes.length).toBeGreaterThan(150);
    const names = new Set<string>();
    for (const code of codes) {
      const { tag, script, name, nativeName } = describeLanguage(code);
      expect(() => new Intl.Locale(tag), code).not.toThrow();
      expect(script, code).toMatch(/^[A-Z][a-z]{3}$/);
      expect(nativeName, code).not.toBe('');
      names.add(name);
    }
    // Two names of one file: `frk` is the former name of `deu_latf`.
    expect(names.size).toBe(codes.length - 1);
  });
});

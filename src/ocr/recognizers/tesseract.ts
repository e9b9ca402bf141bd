import { createRequire } from 'node:module';
import { itemAt } from '../checked.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { loadLanguage } from '../languages/language-data.ts';
import { writesNoSpaces } from '../languages/languages.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { Recent } from '../recent.ts';
import type { CropWord } from './tesseract-words.ts';

/** The part of the WebAssembly build's interface that is used here. */
interface TessBaseApi {
  Init(path: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): boolean;
  SetPageSegMode(mode: number): void;
  SetImageFile(exifOrientation: number, angle: number): number;
  SetSourceResolution(dotsPerInch: number): void;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  GetUTF8Text(): string;
  Clear(): void;
  End(): void;
}

interface TesseractCore {
  FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TessBaseApi;
}

type CoreFactory = (overrides: { print(): void; printErr(): void }) => Promise<TesseractCore>;

const SINGLE_LINE = 7;
const LSTM_ONLY = 1;

/** White margin that line mode needs around the ink, in pixels. */
const MARGIN = { x: 10, y: 8 };

/** Number of initialized language sets kept warm; one costs about 15 MB of WebAssembly memory. */
const WARM_SETS = 3;

/** Scripts whose words tesseract separates although no space stands between them. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** No space is meant after and before these, though their wide cells leave room for one. */
const IDEOGRAPHIC_MARK = /[\u3001-\u301f，。、：；！？（）]/u;

/** Tesseract puts them around words against the line's direction; the display resolves direction itself. */
const DIRECTION_MARKS = /[\u200e\u200f]/g;

const require = createRequire(import.meta.url);

/**
 * One instance of tesseract's LSTM recognizer in WebAssembly. Every call blocks, so it lives on a worker thread.
 * Its memory grows with the largest picture and never shrinks: replace the instance from time to time.
 */
export class Tesseract {
  readonly #warm = new Recent<TessBaseApi>(WARM_SETS, (api) => api.End());
  readonly #core: TesseractCore;
  readonly #languageDirs: readonly string[];

  #broken = false;

  private constructor(core: TesseractCore, languageDirs: readonly string[]) {
    this.#core = core;
    this.#languageDirs = languageDirs;
  }

  static async create(languageDirs: readonly string[]): Promise<Tesseract> {
    // The relaxed-SIMD build aborts on Node 20, so this build is named instead of detected.
    const createCore = require('tesseract.js-core/tesseract-core-simd-lstm.js') as CoreFactory;
    return new Tesseract(await createCore({ print() {}, printErr() {} }), languageDirs);
  }

  /**
   * Loads a set of languages unless it is warm already.
   * @throws {OcrError} `language_unavailable`
   */
  prepare(languages: readonly string[]): void {
    this.#api(languages);
  }

  /** True after data that it could not load left its memory in an unknown state: discard the instance. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Reads a crop that holds exactly one line, dark ink on a light ground. */
  readLine(crop: GrayImage, languages: readonly string[]): CropWord[] {
    const { tsv, text } = this.#recognize(this.#api(languages), crop);
    const words = wordsIn(tsv);
    const joined = joinedWords(words, text);
    return words.map(({ text, confidence, x, width }, index) => {
      const left = Math.max(0, x - MARGIN.x);
      const right = Math.min(crop.width, x + width - MARGIN.x);
      return { text, confidence, x: left, width: Math.max(0, right - left), joined: itemAt(joined, index) };
    });
  }

  /** `text` is set only where the table does not show which words have spaces between them. */
  #recognize(api: TessBaseApi, crop: GrayImage): { tsv: string; text: string | undefined } {
    this.#core.FS.writeFile('/input', portableGraymap(crop, MARGIN));
    api.SetPageSegMode(SINGLE_LINE);
    if (api.SetImageFile(1, 0) !== 0) throw new OcrError(OCR_ERRORS.internal, 'tesseract refused the pixels');
    // Without a stated resolution tesseract guesses one from the height and warns.
    api.SetSourceResolution(300);
    api.Recognize(null);
    const tsv = api.GetTSVText(0);
    const text = WITHOUT_SPACES.test(tsv) ? api.GetUTF8Text() : undefined;
    api.Clear();
    return { tsv, text };
  }

  #api(languages: readonly string[]): TessBaseApi {
    const key = languages.join('+');
    return this.#warm.get(key, () => this.#initialise(languages, key));
  }

  #initialise(languages: readonly string[], key: string): TessBaseApi {
    const files = languages.map((language) => ({
      path: `./${language}.traineddata`,
      data: loadLanguage(language, this.#languageDirs),
    }));
    for (const { path, data } of files) this.#core.FS.writeFile(path, data);
    try {
      const api = new this.#core.TessBaseAPI();
      if (api.Init(null, key, LSTM_ONLY) !== 0) throw new Error('it refused the data');
      // The data of such scripts sets this, but only for the set's first language.
      if (languages.some(writesNoSpaces)) api.SetVariable('preserve_interword_spaces', '1');
      return api;
    } catch (cause) {
      // It refuses some damaged data, and traps on other data.
      this.#broken = true;
      throw new OcrError(OCR_ERRORS.languageUnavailable, `tesseract cannot use the data of ${key}`, {
        cause,
      });
    } finally {
      // Everything is parsed at this point; the file would occupy memory a second time.
      if (!this.#broken) for (const { path } of files) this.#core.FS.unlink(path);
    }
  }
}

/** The picture as a binary PGM with a white margin: the cheapest format for tesseract's reader. */
function portableGraymap({ gray, width, height }: GrayImage, margin: { x: number; y: number }): Uint8Array {
  const outerWidth = width + 2 * margin.x;
  const outerHeight = height + 2 * margin.y;
  const header = Buffer.from(`P5\n${outerWidth} ${outerHeight}\n255\n`, 'latin1');
  const file = new Uint8Array(header.length + outerWidth * outerHeight).fill(255);
  file.set(header);
  for (let row = 0; row < height; row++) {
    const start = header.length + (row + margin.y) * outerWidth + margin.x;
    file.set(gray.subarray(row * width, (row + 1) * width), start);
  }
  return file;
}

/**
 * Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 * Level 5 is a word.
 */
function wordsIn(tsv: string): Omit<CropWord, 'joined'>[] {
  return tsv.split('\n').flatMap((row) => {
    const columns = row.split('\t');
    if (columns[0] !== '5') return [];
    const [x, width, confidence] = [Number(columns[6]), Number(columns[8]), Number(columns[10])];
    const text = columns.slice(11).join('\t').replace(DIRECTION_MARKS, '').trim();
    return text === '' ? [] : [{ text, confidence: Math.max(0, confidence) / 100, x, width }];
  });
}

/**
 * Whether each word follows the one before without a space: the running text shows it, the table does not.
 * Both hold the same characters in the same order.
 */
export function joinedWords(words: readonly { text: string }[], text: string | undefined): boolean[] {
  if (text === undefined) return words.map(() => false);
  const running = text.replace(DIRECTION_MARKS, '');
  let at = 0;
  return words.map((word, index) => {
    const from = at;
    while (at < running.length && /\s/.test(running.charAt(at))) at++;
    const spaced = at > from;
    if (running.startsWith(word.text, at)) at += word.text.length;
    const before = words[index - 1];
    if (!before) return false;
    return (
      !spaced || IDEOGRAPHIC_MARK.test(before.text.slice(-1)) || IDEOGRAPHIC_MARK.test(word.text.charAt(0))
    );
  });
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { OCR_ERRORS, OcrError } from '../errors.ts';

const LANGUAGE_NAME = /^[A-Za-z][A-Za-z0-9_]{1,40}$/;
const HEADER_ENTRY_BYTES = 8;
/** Place of the LSTM model in the table of components that a `.traineddata` file opens with. */
const LSTM_COMPONENT = 17;

const require = createRequire(import.meta.url);

/**
 * The bytes of a language's `.traineddata`: English from its npm package, others from the first folder that has them.
 * They are checked here because tesseract itself aborts on a file that is cut short.
 * @throws {OcrError} `language_unavailable`
 */
export function loadLanguage(language: string, directories: readonly string[]): Uint8Array {
  if (!LANGUAGE_NAME.test(language)) throw unavailable('a language was asked for by an impossible name');
  const data = language === 'eng' ? builtInEnglish() : firstIn(directories, `${language}.traineddata`);
  if (data === undefined) throw unavailable(`no folder holds ${language}.traineddata`);
  checkTrainedData(language, data);
  return data;
}

function builtInEnglish(): Uint8Array {
  try {
    const folder = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'));
    return gunzipSync(readFileSync(path.join(folder, '4.0.0_best_int', 'eng.traineddata.gz')));
  } catch (cause) {
    throw unavailable('the built-in English data cannot be read', cause);
  }
}

function firstIn(directories: readonly string[], name: string): Uint8Array | undefined {
  for (const directory of directories) {
    try {
      return readFileSync(path.join(directory, name));
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unavailable(`${name} cannot be read`, cause);
    }
  }
  return undefined;
}

/** The file opens with a count of components and one 64-bit offset for each, −1 for none. */
function checkTrainedData(language: string, data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count = data.byteLength >= 4 ? view.getInt32(0, true) : 0;
  const headerBytes = 4 + count * HEADER_ENTRY_BYTES;
  if (count <= LSTM_COMPONENT || count > 64 || data.byteLength < headerBytes) {
    throw unavailable(`${language}.traineddata is damaged`);
  }
  const offsets = Array.from({ length: count }, (_, index) =>
    Number(view.getBigInt64(4 + index * HEADER_ENTRY_BYTES, true)),
  );
  if (offsets.some((offset) => offset >= data.byteLength)) {
    throw unavailable(`${language}.traineddata is cut short`);
  }
  if ((offsets[LSTM_COMPONENT] ?? -1) < 0) throw unavailable(`${language}.traineddata holds no LSTM model`);
}

function unavailable(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.languageUnavailable, message, { cause });
}

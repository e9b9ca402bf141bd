/**
 * Folders with language data, shared by the server and the command line, which does not import the server's settings: their
 * schemas take time to load.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Tesseract's language folders in Debian and its derivatives, newest first. */
const SYSTEM_FOLDERS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/**
 * In the order in which they are searched.
 * @param named the value of OCR_LANG_DIRS
 */
export function languageFolders(dataDir: string, named: string | undefined): string[] {
  if (named === undefined) {
    const system = SYSTEM_FOLDERS.filter((folder) => existsSync(folder)).slice(0, 1);
    return [...system, join(dataDir, 'languages')];
  }
  return named
    .split(',')
    .map((folder) => folder.trim())
    .filter(Boolean);
}

const dataDir = () => resolve(process.env.DATA_DIR ?? 'data');

/** The folder for added languages; the command line's `main.ts` sets DATA_DIR. */
export const ownLanguageFolder = (): string => join(dataDir(), 'languages');

/** Of the environment. */
export const usualLanguageFolders = (): string[] =>
  languageFolders(dataDir(), process.env.OCR_LANG_DIRS || undefined);

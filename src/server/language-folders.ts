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
 * The folders in search order.
 * @param setting the value of OCR_LANG_DIRS
 */
export function languageFolders(dataDir: string, setting: string | undefined): string[] {
  if (setting === undefined) {
    const system = SYSTEM_FOLDERS.filter((folder) => existsSync(folder)).slice(0, 1);
    return [...system, join(dataDir, 'languages')];
  }
  return setting
    .split(',')
    .map((folder) => folder.trim())
    .filter(Boolean);
}

const dataDir = () => resolve(process.env.DATA_DIR ?? 'data');

/** The folder for languages that the command line adds. Its `main.ts` sets DATA_DIR. */
export const ownLanguageFolder = (): string => join(dataDir(), 'languages');

/** The folders that the environment configures. */
export const languageFoldersOfEnvironment = (): string[] =>
  languageFolders(dataDir(), process.env.OCR_LANG_DIRS || undefined);

/** Language folders of this machine. Does not import the server's settings, whose schemas take time to load. */
import { resolve } from 'node:path';
import { languageFolders as foldersOf } from '../server/language-folders.ts';

/** The folder for added languages; `main.ts` sets DATA_DIR. */
export const ownLanguageFolder = (): string => resolve(process.env.DATA_DIR ?? 'data', 'languages');

export const languageFolders = (): string[] =>
  foldersOf(resolve(process.env.DATA_DIR ?? 'data'), process.env.OCR_LANG_DIRS || undefined);

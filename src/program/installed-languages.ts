/** Where this machine keeps what languages are read with. Without the schemas of the server's settings, which take time to load. */
import { resolve } from 'node:path';
import { languageFolders as foldersOf } from '../server/language-folders.ts';

/** The folder that languages are added to; `main.ts` has set DATA_DIR. */
export const ownLanguageFolder = (): string => resolve(process.env.DATA_DIR ?? 'data', 'languages');

export const languageFolders = (): string[] =>
  foldersOf(resolve(process.env.DATA_DIR ?? 'data'), process.env.OCR_LANG_DIRS || undefined);

/** Where this machine keeps what languages are read with. */
import { loadConfig } from '../server/config.ts';
import { UsageError } from './command-line.ts';

/** In the order in which they are looked through: as the server's settings have it, so that both read the same ones. */
export const languageFolders = (): readonly string[] => settings().ocrLanguageDirs;

/** @throws {UsageError} where a setting of this machine is not valid */
export function settings() {
  try {
    return loadConfig(process.env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

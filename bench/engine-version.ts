/** Identifies the engine of a checkout, so that results of two engines are never mixed in one run. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A hash of the engine's current files without tests, committed or not. */
export function engineVersion(checkout: string): string {
  const folder = join(checkout, 'src/ocr');
  if (!existsSync(folder)) return 'unknown';
  const hash = createHash('sha256');
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${relative(folder, file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

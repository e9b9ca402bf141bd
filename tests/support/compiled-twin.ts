import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Laid out as the project is, so that what imports by a relative path finds the same there. */
export const compiled = join(root, '.cache', 'compiled');

/**
 * Where a module of `src` or `tests/support` lies compiled while tests run: what Node runs in a process of its own, without
 * a loader.
 * @param source path of the `.ts` file, from the project's root or absolute
 */
export const twinOf = (source: string): string =>
  join(compiled, relative(root, join(source.startsWith(root) ? '' : root, source)).replace(/\.ts$/, '.js'));

import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Has the layout of the project, so that relative imports resolve. */
export const compiled = join(root, '.cache', 'compiled');

/**
 * The compiled file of a module of `src` or `tests/support`, which Node can run in a separate process without a loader.
 * @param source path of the `.ts` file, from the project's root or absolute
 */
export const compiledFileOf = (source: string): string =>
  join(compiled, relative(root, join(source.startsWith(root) ? '' : root, source)).replace(/\.ts$/, '.js'));

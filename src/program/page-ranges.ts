import { UsageError } from './command-line.ts';

export interface PageRange {
  from: number;
  /** Infinite for all that follow. */
  to: number;
}

/** Numbers and ranges such as `1-3,7` or `5-`. `name`: of the option, for the error. @throws {UsageError} */
export function rangesOf(name: string, typed: string): PageRange[] {
  return typed.split(',').map((part) => {
    const match = /^(\d+)(?:-(\d*))?$/.exec(part.trim());
    const from = Number(match?.[1]);
    const to =
      match?.[2] === undefined ? from : match[2] === '' ? Number.POSITIVE_INFINITY : Number(match[2]);
    if (!match || from < 1 || to < from)
      throw new UsageError(`${name} takes numbers and ranges such as 1-3,7 or 5-, and not “${typed}”.`);
    return { from, to };
  });
}

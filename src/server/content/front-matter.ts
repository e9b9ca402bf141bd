import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

/** An error in a content file, with file and line. */
export class ContentError extends Error {
  override name = 'ContentError';
  constructor(
    readonly file: string,
    readonly line: number,
    readonly problem: string,
  ) {
    super(`${file}:${line}: ${problem}`);
  }
}

/**
 * Splits a Markdown file into its YAML front matter, checked by `schema`, and its body.
 * @param file named in errors
 * `lineOf` returns the line of a field's value.
 * @throws {ContentError} with the line of the first mistake
 */
export function parseFrontMatter<Schema extends z.ZodType>(
  source: string,
  file: string,
  schema: Schema,
): {
  data: z.infer<Schema>;
  body: string;
  bodyLine: number;
  lineOf: (path: readonly PropertyKey[]) => number;
} {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(source);
  if (!match)
    throw new ContentError(file, 1, 'the file must begin with front matter between two lines of ---');
  const [block, yaml = ''] = match;
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  // The front matter starts in line 2.
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;

  const [syntaxError] = document.errors;
  if (syntaxError)
    throw new ContentError(
      file,
      lineAt(syntaxError.pos[0]),
      syntaxError.message.split('\n')[0] ?? 'not YAML',
    );

  const lineOf = (path: readonly PropertyKey[]) => {
    const node = path.length > 0 ? document.getIn(path, true) : undefined;
    const range = (node as { range?: [number, number, number] | null } | undefined)?.range;
    return range ? lineAt(range[0]) : 1;
  };

  const parsed = schema.safeParse(document.toJS());
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ContentError(
      file,
      lineOf(issue?.path ?? []),
      `${issue?.path.join('.') || 'front matter'}: ${issue?.message}`,
    );
  }
  return { data: parsed.data, body: source.slice(block.length), bodyLine: block.split('\n').length, lineOf };
}

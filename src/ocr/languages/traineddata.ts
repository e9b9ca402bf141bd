/** The parts of a `.traineddata` file. It starts with their number and an offset for each, −1 for a missing one. */

/**
 * The whole, verified bytes of a language's file, wherever a platform keeps them.
 * @throws {OcrError} `language_unavailable`
 */
export type LoadLanguage = (language: string) => Uint8Array;

/** Indices in that table. */
export const COMPONENTS = { network: 17, words: 19, characters: 21, codes: 22 } as const;

/** One part of a file that `loadLanguage` has verified; undefined where the file has none. */
export function componentOf(data: Uint8Array, component: keyof typeof COMPONENTS): Uint8Array | undefined {
  const place = COMPONENTS[component];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const count = view.getInt32(0, true);
  if (place >= count) return undefined;
  const offsetOf = (index: number) => Number(view.getBigInt64(4 + index * 8, true));
  const start = offsetOf(place);
  if (start < 0) return undefined;
  let end = data.byteLength;
  for (let index = 0; index < count; index++) {
    const offset = offsetOf(index);
    if (offset > start && offset < end) end = offset;
  }
  return data.subarray(start, end);
}

/** The characters by their number. The file is text: the count, then one character per line, followed by its properties. */
export function charactersIn(file: Uint8Array): string[] {
  const [count, ...lines] = new TextDecoder().decode(file).split('\n');
  return lines.slice(0, Number(count)).map((line) => {
    const [character = ''] = line.split(' ', 1);
    return character;
  });
}

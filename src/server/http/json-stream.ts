import { Readable } from 'node:stream';

/** A JSON array whose items are loaded while the stream is read, so that the array is never in memory as a whole. */
export function jsonStream(items: AsyncIterable<unknown>): Readable {
  return Readable.from(jsonArray(items));
}

/** A JSON object of `fields`, with the streamed array as its last field. */
export function jsonObjectStream(fields: object, name: string, items: AsyncIterable<unknown>): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `${JSON.stringify(fields, null, 2).slice(0, -2)},\n  ${JSON.stringify(name)}: `;
    yield* jsonArray(items);
    yield '}\n';
  }
  return Readable.from(pieces());
}

async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield '\n]\n';
}

import { expect, it } from 'vitest';
import { createEngine } from './engine.ts';

it.each([
  ['a path', 'scan.png', 'string'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['an ArrayBuffer', new ArrayBuffer(4), 'object'],
])(
  'createEngine: given %s instead of bytes, rejects with a TypeError that names the expected types',
  async (_, given, type) => {
    await using engine = createEngine({ jobs: 1 });
    const document = given as unknown as Uint8Array;
    for (const result of [engine.read(document), engine.pages(document), engine.picture(document)]) {
      const error = await result.catch((one: unknown) => one);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(`Uint8Array or Buffer, and was given: ${type}`);
    }
  },
);

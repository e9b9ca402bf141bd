import path from 'node:path';
import vm from 'node:vm';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, sheet } from '../../tests/support/pictures.ts';
import { dataIn } from './languages/language-data.ts';
import { Lexicons } from './languages/lexicon.ts';
import { decodePicture } from './picture/decode.ts';
import { type PipelineContext, type ReadOptions, readPicture } from './pipeline.ts';
import { nodeModels } from './recognizers/node-models.ts';
import { RecognizerThreads } from './threads/recognizer-pool.ts';
import type { Recognition } from './types.ts';

/** The pipeline with all its stages as one script for a browser, and its external imports. */
async function bundled(): Promise<{ code: string; outside: string[] }> {
  const outside: string[] = [];
  const bundles = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'note-what-comes-from-outside',
        enforce: 'pre',
        resolveId(source) {
          if (!/^[./\0]/.test(source)) outside.push(source);
          return null;
        },
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: path.join(import.meta.dirname, 'pipeline.ts'), formats: ['iife'], name: 'engine' },
    },
  });
  const [bundle] = [bundles].flat() as { output: { code: string }[] }[];
  return { code: bundle!.output[0]!.code, outside };
}

/** As plain JSON, because objects of two realms have different prototypes; without the duration. */
const plain = ({ durationMs: _, ...result }: Recognition) => JSON.parse(JSON.stringify(result));

describe('engine stages', () => {
  let code: string;
  let outside: string[];
  const recognizers = new RecognizerThreads({ threads: 1, languageDirs: [] });
  const models = nodeModels(1, (crop, signal) => recognizers.featuresOf(crop, signal));
  const lexicons = new Lexicons(dataIn([]));
  const context: PipelineContext = {
    decode: (bytes) =>
      decodePicture(bytes, {
        maxPixels: 100_000_000,
        decodeRaw: () => Promise.reject(new Error('a PNG needs no other decoder')),
      }),
    recognizers,
    models,
    lexiconOf: (languages) => lexicons.of(languages),
    identifyLanguage: () => [],
    signal: new AbortController().signal,
    onStage: () => {},
  };
  beforeAll(async () => {
    ({ code, outside } = await bundled());
  });
  afterAll(() => recognizers.close());

  it('are bundled for a browser with no Node module and no package', () => {
    expect(outside).toEqual([]);
  });

  it.each([
    ['a picture', async () => fixture('harbour-lights.png')],
    ['a page', () => sheet(16)],
  ])('read %s in a bare JavaScript environment', async (_, picture) => {
    const bytes = new Uint8Array(await picture());
    const options: ReadOptions = { languages: ['eng'], filter: true };
    const bare = vm.createContext({ performance });
    vm.runInContext(code, bare);
    expect(vm.runInContext('typeof process + typeof Buffer + typeof setTimeout', bare)).toBe(
      'undefinedundefinedundefined',
    );
    const elsewhere = bare as unknown as { engine: { readPicture: typeof readPicture } };
    const found = await elsewhere.engine.readPicture(bytes, options, context);
    expect(found.lines.length).toBeGreaterThan(1);
    expect(plain(found)).toEqual(plain(await readPicture(bytes, options, context)));
  });
});

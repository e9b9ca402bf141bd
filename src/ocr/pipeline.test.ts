import { expect, it } from 'vitest';
import { blankPicture } from '../../tests/support/gray-picture.ts';
import { OCR_ERRORS } from './errors.ts';
import { orderLines } from './layout/order/order.ts';
import type { TextDetector } from './page/detect.ts';
import { readPicture } from './pipeline.ts';
import type { Lexicon } from './reading/lexicon.ts';
import type { PageReader } from './reading/recognizer.ts';
import type { Stage } from './types.ts';

const [width, height] = [320, 240];
const empty = blankPicture(width, height);

/** They detect no text. */
const detector: TextDetector = {
  scale: async (_image, wide, high) => ({ data: new Uint8Array(wide * high * 3), width: wide, height: high }),
  mapText: async (seen) => ({ ...seen, data: new Uint8Array(seen.width * seen.height) }),
};

const lexicon: Lexicon = { has: () => false, near: () => new Set(), letters: new Set(), words: () => [] };

const reader: PageReader = {
  name: 'network',
  cropHeight: 36,
  sure: { known: 1, other: 1 },
  read: async () => [],
};

function read(signal: AbortSignal, onStage: (stage: Stage) => void) {
  const options = { languages: ['eng'], filter: true };
  return readPicture(new Uint8Array(), options, {
    decode: async () => empty,
    recognizers: { size: 1, readerOf: () => reader, order: async (boxes) => orderLines(boxes) },
    models: {
      detector: async () => detector,
      direction: async () => ({ cropHeight: 48, upsideDownChance: async () => 0 }),
      recognizerFor: async () => undefined,
      latinAmongOthers: async () => ({ cropHeight: 48, read: async () => undefined }),
      scriptsOf: async () => [],
    },
    lexiconOf: () => lexicon,
    identifyLanguage: () => [],
    signal,
    onStage,
  });
}

it('readPicture: an abort takes effect at every stage, including the ordering of lines', async () => {
  const stages: Stage['name'][] = [];
  const { text } = await read(new AbortController().signal, ({ name }) => stages.push(name));
  expect(text).toBe('');
  expect(stages).toEqual(['decoding', 'finding-lines', 'ordering']);
  for (const stage of stages) {
    const controller = new AbortController();
    const given = read(controller.signal, ({ name }) => {
      if (name === stage) controller.abort();
    });
    await expect(given, stage).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
  }
});

it('readPicture: a text in other letters than Latin is read by its own recognizer, and its Latin words by another', async () => {
  const latin = new Set('abc');
  const asked: { languages: readonly string[]; hasSecondary: boolean }[] = [];
  const lettersAsked: ReadonlySet<string>[] = [];
  const known = { cropHeight: 48, read: async () => ({ glyphs: [] }) };
  for (const languages of [['deu'], ['frk'], ['ell'], ['ell', 'eng']]) {
    await readPicture(
      new Uint8Array(),
      { languages, filter: true },
      {
        decode: async () => empty,
        recognizers: {
          size: 1,
          readerOf: (codes, { hasSecondary }) => {
            asked.push({ languages: codes, hasSecondary });
            return reader;
          },
          order: async (boxes) => orderLines(boxes),
        },
        models: {
          detector: async () => detector,
          direction: async () => ({ cropHeight: 48, upsideDownChance: async () => 0 }),
          recognizerFor: async (letters) => (letters === latin ? known : undefined),
          latinAmongOthers: async (letters) => {
            lettersAsked.push(letters);
            return known;
          },
          scriptsOf: async () => [],
        },
        lexiconOf: (codes) => (codes.includes('ell') ? lexicon : { ...lexicon, letters: latin }),
        identifyLanguage: () => [],
        signal: new AbortController().signal,
        onStage: () => {},
      },
    );
  }
  expect(asked).toEqual([
    { languages: ['deu'], hasSecondary: true },
    { languages: ['frk'], hasSecondary: true },
    { languages: ['ell'], hasSecondary: false },
    { languages: ['ell', 'eng'], hasSecondary: false },
  ]);
  expect(lettersAsked).toEqual([latin, latin]);
});

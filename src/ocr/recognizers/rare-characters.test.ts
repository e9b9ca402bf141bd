import { describe, expect, test } from 'vitest';
import { layerOf } from '../../../tests/support/last-layer.ts';
import { openModel } from '../networks/onnxruntime.ts';
import { LastLayer } from './paddle-head.ts';

const CHARACTERS = ['', 'a', 'é', 'ß', 'π', 'Ω', '₹', '≥', '!', 'ж', '中', 'ɐ', 'ſ', '\u212b', '，'];

const layer = layerOf(CHARACTERS);

describe('LastLayer.headFor: letters of English', () => {
  const head = layer.headFor(new Set('a'));

  test.each(['é', 'ß', 'π', 'Ω', '₹', '≥', '!'])('%s can be read', (character) => {
    expect(head.classOf(character)).toBeTypeOf('number');
  });

  test.each(['ж', '中', 'ɐ', 'ſ', '\u212b', '，'])(
    '%s cannot be read: another script, sounds, old print or a look-alike',
    (character) => {
      expect(head.classOf(character)).toBeUndefined();
    },
  );

  test('a Greek letter needs more evidence than a letter of the language; a sign and an accented letter do not', async () => {
    const { logs } = await head.posteriors(new Float32Array([1]), 1);
    const margin = (character: string) => logs[head.classOf('a')!]! - logs[head.classOf(character)!]!;
    expect(margin('!')).toBeCloseTo(0, 4);
    for (const character of ['₹', '≥', 'Ω', 'é', 'ß']) expect(margin(character)).toBeCloseTo(0, 4);
    expect(margin('π')).toBeCloseTo(3, 4);
    expect(logs.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 4);
  });
});

test('LastLayer.headFor: a letter that another language lacks needs more evidence', async () => {
  const head = layer.headFor(new Set('aß'));
  const { logs } = await head.posteriors(new Float32Array([1]), 1);
  expect(logs[head.classOf('a')!]! - logs[head.classOf('é')!]!).toBeCloseTo(1.2, 4);
});

test('LastLayer.headFor: a letter of the language has no prior against it', async () => {
  const head = layer.headFor(new Set('aéπ'));
  const { logs } = await head.posteriors(new Float32Array([1]), 1);
  const [a, accented, greek] = ['a', 'é', 'π'].map((character) => logs[head.classOf(character)!]!);
  expect(accented).toBeCloseTo(a!, 4);
  expect(greek).toBeCloseTo(a!, 4);
});

test('LastLayer.headFor: a language without Latin letters reads rare signs with ohm, but no Latin or Greek letter', () => {
  const head = layer.headFor(new Set('ж'));
  expect(head.characters).toEqual(['', 'Ω', '₹', '≥', '!', 'ж']);
});

describe('LastLayer.headFor: a character with a trained row', () => {
  const characters = ['', 'a', 'é', '中', '≥', 'é', '≥'];
  /** All rows are zero except the biases of the trained ones. */
  const trained = new LastLayer(
    {
      madeOf: 'a test',
      characters,
      trainedFrom: 5,
      features: 1,
      scales: Buffer.from(new Float32Array(characters.length).fill(1).buffer).toString('base64'),
      weights: Buffer.from(Int8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 10])).toString('base64'),
    },
    openModel,
  );
  const lead = async (letters: string, character: string) => {
    const head = trained.headFor(new Set(letters));
    const { logs } = await head.posteriors(new Float32Array([1]), 1);
    return logs[head.classOf(character)!]! - logs[0]!;
  };

  test('uses it where the language does not have the character', async () => {
    expect(await lead('a', 'é')).toBeCloseTo(10.8, 4);
    expect(await lead('a', '≥')).toBeCloseTo(10.8, 4);
  });

  test('uses it in another language for a sign, and the published row for a letter', async () => {
    expect(await lead('aß', '≥')).toBeCloseTo(10.8, 4);
    expect(await lead('aß', 'é')).toBeCloseTo(-1.2, 4);
  });

  test('uses the published row where the language has the character, or is written in ideographs', async () => {
    expect(await lead('aé', 'é')).toBeCloseTo(0, 4);
    expect(await lead('a中', '≥')).toBeCloseTo(0, 4);
  });
});

import { describe, expect, it } from 'vitest';
import { layerOf } from '../../../tests/support/last-layer.ts';
import { openModel } from '../networks/onnxruntime.ts';
import { LastLayer } from './paddle-head.ts';

const CHARACTERS = ['', 'a', 'é', '中', '閾', 'ア', '가', '。', '℃', '!'];
const layer = layerOf(CHARACTERS);
const readable = (letters: string) => layer.headFor(new Set(letters)).characters.join('');

describe('LastLayer.headFor: the characters', () => {
  it('are those of the language, other Latin letters beside Latin ones, and the signs of any text', () => {
    expect(readable('a')).toBe('aé℃!');
    expect(readable('aé')).toBe('aé℃!');
    expect(readable('가')).toBe('가℃!');
  });

  it('are all ideographs where the language has any, because its list of them is never complete', () => {
    expect(readable('a中')).toBe('aé中閾。℃!');
    expect(readable('中ア')).toBe('中閾ア。℃!');
  });

  it("LastLayer.coverageOf: returns the share of a language's letters that can be read", () => {
    expect(layer.coverageOf(new Set('a中字水'))).toBe(0.5);
    expect(layer.coverageOf(new Set())).toBe(0);
  });
});

describe('LastLayer.headFor: the rows of a character', () => {
  const CHARACTERS = ['', 'a', 'é', 'é'];
  /** For one feature: the score of each character and its bias, in eighths; the trained row holds a prior. */
  const weights = [0, 0, 0, 0, 24, 0, -32, -16];
  const twice = new LastLayer(
    {
      madeOf: 'a test',
      characters: CHARACTERS,
      trainedFrom: 3,
      features: 1,
      scales: Buffer.from(new Float32Array(CHARACTERS.length).fill(1 / 8).buffer).toString('base64'),
      weights: Buffer.from(new Int8Array(weights)).toString('base64'),
    },
    openModel,
  );
  const chanceOf = async (feature: number) => {
    const head = twice.headFor(new Set('a'));
    const { logs } = await head.posteriors(new Float32Array([feature]), 1);
    return Math.exp(logs[head.classOf('é')!]!);
  };

  it('are the published and the trained one, and the better of both counts', async () => {
    const [own, neither, trained] = [await chanceOf(2), await chanceOf(0), await chanceOf(-2)];
    expect(own).toBeGreaterThan(0.9);
    expect(trained).toBeGreaterThan(own);
    expect(neither).toBeLessThan(0.2);
  });
});

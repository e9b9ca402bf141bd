import { describe, expect, it } from 'vitest';
import { grayOf, textLine } from '../../../tests/support/pictures.ts';
import { dataIn, loadLanguage } from '../languages/language-data.ts';
import { openModel } from '../networks/onnxruntime.ts';
import { readingOf } from './ctc.ts';
import { LineNetworks, lineNetworkOf, posteriorsOf } from './tesseract-network.ts';

const english = () => Uint8Array.from(loadLanguage('eng', []));

/** English data with some of its bytes replaced by others of the same length. */
function changed(from: string, to: string): Uint8Array {
  const data = Buffer.from(english());
  const at = data.indexOf(from, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  data.write(to, at, 'latin1');
  return data;
}

describe('lineNetworkOf: the network of English', () => {
  it('reads a line without tesseract', async () => {
    const network = new LineNetworks(dataIn([])).of('eng')!;
    const crop = await grayOf(await textLine(network.height));
    const opened = await openModel(Uint8Array.from(network.model), 1);
    const posteriors = await posteriorsOf(opened, crop);
    await opened.release();
    const { glyphs } = readingOf(posteriors, network, crop.width / posteriors.steps / crop.height);
    expect(glyphs.map(({ text }) => text).join('')).toBe('Harbourlights');
    expect(glyphs.filter(({ startsWord }) => startsWord)).toHaveLength(2);
    expect(posteriors.classes).toBe(network.characters.length);
    for (let step = 0; step < posteriors.steps; step++) {
      const row = posteriors.logs.subarray(step * posteriors.classes, (step + 1) * posteriors.classes);
      expect(row.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 3);
    }
  });

  it('has classes for the blank first, then a space, letters, digits and marks', () => {
    const network = new LineNetworks(dataIn([])).of('eng')!;
    expect(network.characters.slice(0, 2)).toEqual(['', ' ']);
    for (const character of 'azAZ09.,$€"') expect(network.classOf(character)).toBeGreaterThan(1);
    expect(network.classOf('ж')).toBeUndefined();
  });
});

describe('lineNetworkOf: data that only tesseract can run', () => {
  it.each([
    ['holds a layer of a kind that is not translated', () => changed('SummLSTM', 'OtherNet')],
    ['holds a last layer of another kind', () => changed('Softmax', 'Linears')],
    ['is cut off in the middle of a layer', () => english().subarray(0, english().length >> 2)],
  ])('%s', (_, data) => {
    expect(lineNetworkOf(data())).toBeUndefined();
  });
});

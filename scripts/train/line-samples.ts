/** Cuts labelled pages into lines as the product would see them: found by detection, labelled by where they lie. */

import { type Network, openNetwork } from '../../src/ocr/networks/network.ts';
import { cleaned, cutLine } from '../../src/ocr/page/crop.ts';
import { detectText, type Eyes, type TextRegion } from '../../src/ocr/page/detect.ts';
import { boundsOf } from '../../src/ocr/page/geometry.ts';
import { type DecodeContext, decodePicture } from '../../src/ocr/picture/decode.ts';
import type { Picture } from '../../src/ocr/picture/picture.ts';
import { SECOND_CONTRAST } from '../../src/ocr/reading/recognise.ts';
import { PaddleModels } from '../../src/ocr/recognisers/paddle.ts';
import { featuresOf } from '../../src/ocr/recognisers/paddle-recogniser.ts';
import type { Box } from '../../src/ocr/types.ts';
import type { LabelledPage } from './labelled-pages.ts';
import type { LabelledLine } from './render-page.ts';

/** What the second recogniser's network makes of one labelled line. */
export interface LineSample {
  text: string;
  cased: boolean;
  steps: number;
  /** `steps` rows of features. */
  features: Float32Array;
}

export interface Networks {
  eyes: Eyes;
  recognition: Network;
}

export async function openNetworks(threads: number): Promise<Networks> {
  return {
    eyes: await new PaddleModels(threads, () => Promise.reject(new Error('nothing is read here'))).eyes(),
    recognition: await openNetwork('features', threads),
  };
}

const CONTEXT: DecodeContext = {
  maxPixels: 100_000_000,
  decodeRaw: () => Promise.reject(new Error('training pictures are JPEG or PNG')),
};
const HEIGHT = 48;

export async function samplesOf(page: LabelledPage, networks: Networks): Promise<LineSample[]> {
  const picture = await decodePicture(page.bytes, CONTEXT);
  const samples: LineSample[] = [];
  for (const region of await detectText(picture, networks.eyes)) {
    const line = page.lines.find((candidate) => shows(region, candidate, picture));
    if (!line) continue;
    const crop = cleaned(cutLine(picture, region, HEIGHT), SECOND_CONTRAST);
    const { data, steps } = await featuresOf(networks.recognition, crop);
    samples.push({ text: line.text, cased: page.cased, steps, features: data.slice() });
  }
  return samples;
}

/** True when a region holds a whole labelled line and hardly anything else. */
function shows(region: TextRegion, line: LabelledLine, picture: Picture): boolean {
  const found = scaledBy(boundsOf(region), 1 / picture.scale);
  const { box } = line;
  const acrossShared = overlap(found.y, found.height, box.y, box.height);
  const alongShared = overlap(found.x, found.width, box.x, box.width);
  return (
    acrossShared > 0.7 * Math.min(found.height, box.height) &&
    alongShared > 0.93 * box.width &&
    found.width < box.width + 2.2 * found.height &&
    found.height < 2.2 * box.height
  );
}

const overlap = (a: number, aLength: number, b: number, bLength: number): number =>
  Math.min(a + aLength, b + bLength) - Math.max(a, b);

const scaledBy = (box: Box, factor: number): Box => ({
  x: box.x * factor,
  y: box.y * factor,
  width: box.width * factor,
  height: box.height * factor,
});

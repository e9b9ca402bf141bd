import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { type MappedText, mapText, piecesOf } from '#formats/pieces';
import { layOut } from '../text/text-layout.ts';
import { editText } from '../text/text-mapping.ts';
import { boundsInFrame, poseOf } from './picture-pose.ts';
import {
  cornersIn,
  lineEnds,
  nearestWord,
  pathOf,
  textOf,
  wordBeside,
  wordsBetween,
  wordsOnPicture,
  wordsWithin,
} from './words-on-picture.ts';

const placedIn = ({ marks }: MappedText) => marks.map(({ piece }) => piece);

/** The extraction of a picture of `tests/fixtures`. */
function read(name: string) {
  const file = new URL(`../../../../tests/fixtures/extractions/${name}.json`, import.meta.url);
  const extraction = extractionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const pieces = piecesOf(extraction);
  const mapped = mapText(extraction.extractedText, pieces);
  const { image } = extraction;
  return { pieces, mapped, image, on: wordsOnPicture(placedIn(mapped), pieces, image) };
}

const at = ({ text, marks }: MappedText, word: string) =>
  marks.findIndex(({ start, end }) => text.slice(start, end) === word);

describe('words on a picture', () => {
  it('are selected in reading order and copied with the line breaks between them', () => {
    const { on, mapped } = read('note');
    const [from, to] = [at(mapped, 'Lane'), at(mapped, 'loaves')];
    expect(textOf(mapped, wordsBetween(to, from))).toMatch(/^Lane Bakery\n+Two loaves$/);
    expect(textOf(mapped, wordsBetween(...lineEnds(on, from)))).toBe('Harbour Lane Bakery');
  });

  it('are copied with their edits and in the layout of the text', () => {
    const { pieces, mapped } = read('slanted');
    const edited = editText(mapped, mapped.text.replace('ferry', 'night ferry'), 4);
    const laidOut = layOut(edited, pieces, 'paragraphs');
    expect(textOf(laidOut, wordsBetween(0, at(laidOut, 'round')))).toMatch(
      /^The night ferry leaves .* and takes the long way round$/,
    );
  });

  it.each(['note', 'slanted', 'turned', 'columns', 'table'])(
    'words on a picture: each word of "%s" is nearest to its center',
    (name) => {
      const { on } = read(name);
      for (const [index, { x, y }] of on.words.entries()) expect(nearestWord(on, { x, y })).toBe(index);
    },
  );

  it.each(['note', 'slanted', 'turned'])(
    'words on a picture: in "%s", a pointer after the end of a line selects its last word',
    (name) => {
      const { on } = read(name);
      for (const indices of on.lines) {
        const last = on.words[indices.at(-1)!]!;
        const [cos, sin] = [Math.cos(last.angle), Math.sin(last.angle)];
        const reach = last.width / 2 + 60;
        expect(nearestWord(on, { x: last.x + reach * cos, y: last.y + reach * sin })).toBe(indices.at(-1));
      }
    },
  );

  it('wordBeside returns words of the neighboring lines', () => {
    const { on, mapped } = read('slanted');
    const the = at(mapped, 'ferry');
    const below = wordBeside(on, the, 1);
    expect(on.words[below]!.line).toBe(on.words[the]!.line + 1);
    expect(wordBeside(on, below, -1)).toBe(the);
    expect(wordBeside(on, 0, -1)).toBe(0);
  });

  it('on a slanted line have a skewed outline with their own height', () => {
    const { on, pieces, mapped } = read('slanted');
    const word = on.words[at(mapped, 'harbour')]!;
    const box = pieces[word.piece]!.box;
    expect(word.angle).toBeGreaterThan(0.05);
    expect(word.height).toBeLessThan(box.height);
    expect(
      pathOf(on, [...on.lines[0]!, ...on.lines[1]!]).split('Z').length - 1,
      'an outline for each line',
    ).toBe(2);
  });

  it('are in a region if their center is, and are copied with their line breaks', () => {
    const { on, mapped, image } = read('note');
    const pose = poseOf(image, 0);
    const firstWords = boundsInFrame(pose, cornersIn(on, [at(mapped, 'Two'), at(mapped, 'One')]));
    expect(textOf(mapped, wordsWithin(on, firstWords, pose))).toBe('Two\nOne');
    expect(wordsWithin(on, { ...firstWords, width: 10 }, pose)).toEqual([]);
  });
});

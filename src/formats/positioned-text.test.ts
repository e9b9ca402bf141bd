import { describe, expect, it } from 'vitest';
import {
  extractionOf,
  positionedTextFrom,
  recordedExtraction,
  retyped,
} from '../../tests/support/extractions.ts';
import { mapText, piecesOf } from './pieces.ts';
import type { PositionedText } from './positioned-text.ts';

const linesOf = ({ paragraphs }: PositionedText) => paragraphs.flatMap(({ lines }) => lines);
const wordsOf = (positionedText: PositionedText) => linesOf(positionedText).flatMap(({ words }) => words);
const wordOf = (positionedText: PositionedText, text: string) =>
  wordsOf(positionedText).find((word) => word.text === text)!;
const textOf = (positionedText: PositionedText) =>
  linesOf(positionedText).map(({ words }) => words.map((word) => word.text).join(' '));

describe('positionedTextOf: an unedited text', () => {
  it('has every word with its position, by paragraphs and lines', () => {
    const note = recordedExtraction('note');
    const positionedText = positionedTextFrom(note);
    expect(positionedText.paragraphs.map(({ lines }) => lines.length)).toEqual([3, 2]);
    const words = wordsOf(positionedText).map(({ start, end, ...word }) => {
      expect(positionedText.text.slice(start, end)).toBe(word.text);
      return word;
    });
    expect(words).toEqual(
      note.lines.flatMap((read, line) =>
        read.words.map(({ text, box, confidence }, at) => ({
          text,
          box,
          confidence,
          placed: true,
          source: { line, word: at },
          read: null,
          readings: [],
          spaced: true,
          broken: false,
        })),
      ),
    );
  });

  it('has its languages as BCP 47 tags', () => {
    const languages = (language: string) =>
      positionedTextFrom({ ...recordedExtraction('note'), language }).languages;
    expect(languages('eng')).toEqual(['en']);
    expect(languages('chi_sim+deu')).toEqual(['zh-Hans', 'de']);
    expect(languages('chi_tra')).toEqual(['zh-Hant']);
  });
});

describe('positionedTextOf: an edited text', () => {
  const note = recordedExtraction('note');

  it('has a corrected word at its old position, without the confidence of the recognized word', () => {
    const positionedText = positionedTextFrom(note, retyped(note, 'dally', 'daily'));
    const { box } = note.lines.flatMap(({ words }) => words).find(({ text }) => text === 'dally')!;
    expect(wordOf(positionedText, 'daily')).toMatchObject({
      box,
      placed: true,
      confidence: null,
      read: 'dally',
    });
  });

  it('divides the box of a word that was split in two', () => {
    const positionedText = positionedTextFrom(note, retyped(note, 'Harbour', 'Harb our'));
    const { box } = note.lines[0]!.words[0]!;
    const [first, second] = [wordOf(positionedText, 'Harb'), wordOf(positionedText, 'our')];
    expect(first.box.x).toBe(box.x);
    expect(second.box.x).toBeGreaterThan(first.box.x + first.box.width);
    expect(second.box.x + second.box.width).toBe(box.x + box.width);
    expect([first.read, second.read]).toEqual(['Harbour', 'Harbour']);
  });

  it('places an added word between its neighbors, and marks it as added', () => {
    const { text, marks } = mapText(note.extractedText, piecesOf(note));
    const at = text.indexOf('Lane');
    const edited = {
      text: `${text.slice(0, at)}Old ${text.slice(at)}`,
      marks: marks.map((mark) =>
        mark.start >= at ? { ...mark, start: mark.start + 4, end: mark.end + 4 } : mark,
      ),
    };
    const positionedText = positionedTextFrom(note, edited);
    const [harbour, lane] = [wordOf(positionedText, 'Harbour').box, wordOf(positionedText, 'Lane').box];
    const added = wordOf(positionedText, 'Old');
    expect(added).toMatchObject({ placed: false, confidence: null, read: null });
    expect(added.box.x).toBeGreaterThanOrEqual(harbour.x + harbour.width);
    expect(added.box.x + added.box.width).toBeLessThanOrEqual(lane.x + 1);
    expect(textOf(positionedText)[0]).toBe('Harbour Old Lane Bakery');
  });

  it('keeps all text of the user within the picture, even if no recognized word is left', () => {
    const text = 'Written by hand\n\nfrom the first word\nto the last';
    const positionedText = positionedTextFrom(note, { text, marks: [] });
    expect(textOf(positionedText)).toEqual(['Written by hand', 'from the first word', 'to the last']);
    for (const { box } of wordsOf(positionedText)) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(note.image.width);
      expect(box.y + box.height).toBeLessThanOrEqual(note.image.height);
    }
  });

  it('keeps the line breaks of the picture where the edited text joined lines, with the hyphen of a hyphenated word', () => {
    const extraction = extractionOf('eng', [
      [
        ['an', 20, 50],
        ['exam-', 90, 120],
      ],
      [
        ['ple', 20, 70],
        ['here', 110, 90],
      ],
    ]);
    const mapped = mapText(extraction.extractedText, piecesOf(extraction));
    const joined = {
      text: 'an example here',
      marks: mapped.marks.map((mark, index) => ({
        ...mark,
        ...[
          { start: 0, end: 2 },
          { start: 3, end: 7 },
          { start: 7, end: 10 },
          { start: 11, end: 15 },
        ][index],
      })),
    };
    const positionedText = positionedTextFrom(extraction, joined);
    expect(textOf(positionedText)).toEqual(['an exam-', 'ple here']);
    expect(wordOf(positionedText, 'exam-')).toMatchObject({ broken: true, confidence: 90 });
  });
});

describe('positionedTextOf: a rotated picture', () => {
  it('divides boxes along the line, which runs down the picture', () => {
    const turned = recordedExtraction('turned');
    const positionedText = positionedTextFrom(turned, retyped(turned, 'harbour', 'har bour'));
    const [first, second] = [wordOf(positionedText, 'har').box, wordOf(positionedText, 'bour').box];
    expect(second.x).toBe(first.x);
    expect(second.y).toBeGreaterThan(first.y + first.height);
  });
});

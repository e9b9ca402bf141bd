import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { extractionOf, recordedExtraction } from '../../tests/support/extractions.ts';
import { toPageLayout } from './page-layout.ts';
import { fromPageLayout } from './page-lines.ts';
import { type MappedText, mapText, piecesOf } from './pieces.ts';

function layOut(extraction: Extraction, edited?: MappedText) {
  const pieces = piecesOf(extraction);
  const lines = edited ?? mapText(extraction.extractedText, pieces);
  const page = toPageLayout(lines, pieces, extraction.image);
  return {
    pieces,
    lines,
    page,
    /** The lines of an edited text of this page. */
    back: (now: MappedText) => fromPageLayout(now, lines, pieces, extraction.image),
  };
}

/** Replaces `from` once. It covers no word or a whole word; the other words keep their marks. */
function replaceText({ text, marks }: MappedText, from: string, to: string): MappedText {
  const at = text.indexOf(from);
  expect(at, from).toBeGreaterThanOrEqual(0);
  const [end, shift] = [at + from.length, to.length - from.length];
  return {
    text: text.slice(0, at) + to + text.slice(end),
    marks: marks
      .filter((mark) => to !== '' || mark.end <= at || mark.start >= end)
      .map((mark) => ({
        ...mark,
        start: mark.start >= end ? mark.start + shift : mark.start,
        end: mark.end >= end ? mark.end + shift : mark.end,
      })),
  };
}

const ALL = ['code', 'columns', 'form', 'note', 'order', 'slanted', 'table', 'turned'] as const;

describe('toPageLayout', () => {
  it('keeps the indentation steps of code', () => {
    expect(layOut(recordedExtraction('code')).page.text.split('\n')).toEqual([
      'function total(items) {',
      '  let sum = 0;',
      '  for (const item of items) {',
      '    if (item.price > 0) {',
      '      sum += item.price * item.count;',
      '    } else {',
      '      skip(item);',
      '',
      '  }',
      '  return sum;',
      '}',
    ]);
  });

  it('keeps label and value of a form apart, and an empty value empty', () => {
    expect(layOut(recordedExtraction('form')).page.text.split('\n')).toEqual([
      'Library card',
      '',
      'Name                    Ada Brandt',
      'Street                  12 Harbour Lane',
      'Town                    Northwick',
      'Telephone',
      'Date of birth           4 March 1987',
      'Member since            2019',
    ]);
  });

  it('aligns the columns of a table by their common edge, and keeps empty cells empty', () => {
    const lines = layOut(recordedExtraction('order')).page.text.split('\n');
    expect(lines.slice(5, 11)).toEqual([
      'Article                 Packs        Price      Remark',
      'Green tea                  12         3.20      loose',
      'Coffee beans              140        18.90',
      'Sugar                                 0.95      cane',
      'Rice flour                  8         2.40',
      'Olive oil                  36        11.25      cold pressed',
    ]);
  });

  it('puts text columns side by side, each row of both on one line', () => {
    const lines = layOut(recordedExtraction('columns')).page.text.split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^The baker rises when the {2,}Across the square the smith$/);
    expect(new Set(lines.map((line) => line.search(/\S+(?: \S+)*$/))).size).toBe(1);
  });

  it('aligns the lines of a slanted page at the left margin', () => {
    for (const line of layOut(recordedExtraction('slanted')).page.text.split('\n')) {
      expect(line).toMatch(/^\S/);
    }
  });

  it('starts a right-to-left page at its right edge', () => {
    const extraction = extractionOf('ara', [
      [
        ['اسم', 700, 80],
        ['ثمن', 300, 80],
      ],
      [['12', 340, 40]],
      [
        ['زيت', 700, 80],
        ['30', 340, 40],
      ],
    ]);
    const [first, second, third] = layOut(extraction).page.text.split('\n');
    expect(first).toMatch(/^اسم {2,}ثمن$/);
    expect(second!.indexOf('12')).toBe(first!.indexOf('ثمن'));
    expect(third!.indexOf('30')).toBe(first!.indexOf('ثمن'));
  });

  it('contains every recognized word once, with its mark', () => {
    for (const name of ALL) {
      const { page, lines, pieces } = layOut(recordedExtraction(name));
      expect(
        page.marks.map(({ piece }) => piece).sort((a, b) => a - b),
        name,
      ).toEqual(lines.marks.map(({ piece }) => piece));
      for (const { piece, start, end } of page.marks) {
        expect(page.text.slice(start, end)).toBe(pieces[piece]!.text);
      }
    }
  });

  it('keeps an added word beside its neighbor, and an added line below its line', () => {
    const extraction = recordedExtraction('order');
    const { lines } = layOut(extraction);
    const added = replaceText(lines, 'tea ', 'tea leaves ');
    const more = replaceText(added, '3.20 loose\n', '3.20 loose\nbut not the cheap one\n');
    const { page } = layOut(extraction, more);
    expect(page.text).toMatch(/^Green tea leaves {2,}12 +3\.20 +loose\nbut not the cheap one\nCoffee beans/m);
  });

  it('keeps a line break that a user inserted', () => {
    const extraction = recordedExtraction('note');
    const broken = replaceText(layOut(extraction).lines, 'of rye', 'of\nrye');
    expect(layOut(extraction, broken).page.text).toMatch(/^Two loaves of\n +rye bread$/m);
  });
});

describe('fromPageLayout', () => {
  it('restores the lines exactly from an unchanged layout, also if the lines were edited before', () => {
    for (const name of ALL) {
      const { back, page, lines } = layOut(recordedExtraction(name));
      expect(back(page), name).toEqual(lines);
    }
    const { lines } = layOut(recordedExtraction('note'));
    const own = replaceText(lines, 'One jar', '\n\nmine\nOne jar');
    const again = layOut(recordedExtraction('note'), own);
    expect(again.back(again.page)).toEqual(own);
  });

  it('keeps corrected, added and removed words', () => {
    const { back, page } = layOut(recordedExtraction('order'));
    const corrected = replaceText(page, 'Sugar', 'Brown sugar');
    const added = replaceText(corrected, 'Olive oil    ', 'Olive oil, green    ');
    const gone = replaceText(added, 'cold', '');
    const lines = back(gone);
    expect(lines.text).toContain(
      '\nBrown sugar 0.95 cane\nRice flour 8 2.40\nOlive oil, green 36 11.25 pressed\n',
    );
    for (const { piece, start, end } of lines.marks) {
      expect(lines.text.slice(start, end)).not.toMatch(/^\s|\s$/);
      expect(piece).toBeLessThan(piecesOf(recordedExtraction('order')).length);
    }
  });

  it('keeps lines that a user split, added or separated', () => {
    const { back, page } = layOut(recordedExtraction('note'));
    const broken = replaceText(page, 'loaves of', 'loaves\nof');
    expect(back(broken).text).toContain('Two loaves\nof rye bread\nOne jar');
    const added = replaceText(page, 'rye bread\n', 'rye bread\nand a bun\n');
    expect(back(added).text).toContain('rye bread\nand a bun\nOne jar');
    const apart = replaceText(page, 'rye bread\n', 'rye bread\n\n');
    expect(back(apart).text).toContain('rye bread\n\nOne jar');
  });

  it('keeps the columns of a page apart', () => {
    const { back, page, lines } = layOut(recordedExtraction('columns'));
    const now = back(replaceText(page, 'baker', 'old baker'));
    expect(now.text).toBe(lines.text.replace('baker', 'old baker'));
  });
});

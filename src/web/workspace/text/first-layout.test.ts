import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Extraction } from '#contract/extraction';
import { fromUpright } from '#formats/upright';
import note from '../../../../tests/fixtures/extractions/note.json' with { type: 'json' };
import { readingOfText } from '../plain-text-reading.ts';
import { initialLayout, storeLayout } from './first-layout.ts';

const LETTER = 12;
const CODE = `function total(items) {
  let sum = 0;
  for (const item of items) {
    if (item.price > threshold) {
      sum += item.price;
    }
  }
  return rounded(sum);
}`;

/** The extraction of monospaced text from a screen. `stretch`: a factor for the width of each word. */
function screen(text: string, stretch = (_word: number) => 1): Extraction {
  let count = 0;
  const rows = text.split('\n');
  const lines = rows.map((row, y) => {
    const words = [...row.matchAll(/\S+/g)].map(([word], at) => {
      count += 1;
      const width = word.length * LETTER * stretch(count);
      return { text: word, confidence: 90, box: { x: 200 * at, y: 30 * y, width, height: 20 } };
    });
    return { text: row.trim(), confidence: 90, box: words[0]!.box, paragraph: 0, words };
  });
  const indents = rows.flatMap((row, line) => {
    const steps = /^ */.exec(row)![0].length / 2;
    return steps > 0 ? [{ line, steps }] : [];
  });
  const image = { width: 800, height: 600, rotation: 0 };
  const layout = { tables: [], headings: [], listItems: [], fields: [], indents };
  return { ...readingOfText(text, 'eng'), lines, image, layout };
}

const code = screen(CODE);

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

describe('first layout', () => {
  it('code is in Layout view', () => {
    expect(initialLayout(code)).toBe('page');
  });

  it('slightly different widths of letters still count as monospaced', () => {
    expect(initialLayout(screen(CODE, (word) => 1 + 0.03 * Math.sin(word)))).toBe('page');
  });

  it('code in a rotated picture is in Layout view', () => {
    const turned = structuredClone(code);
    turned.image = { width: 600, height: 800, rotation: 90 };
    for (const { box } of turned.lines.flatMap(({ words }) => words)) {
      Object.assign(box, fromUpright(box, turned.image));
    }
    expect(initialLayout(turned)).toBe('page');
  });

  it('first layout: a form is in Layout view, and a letter with two fields in Lines view', () => {
    const printed = () => screen(CODE, (word) => 1 + 0.15 * Math.sin(word));
    const withFields = (count: number) => {
      const form = printed();
      const [{ box }] = form.lines as [Extraction['lines'][number]];
      const field = { label: [{ line: 0, from: 0, to: 1 }], value: [], box, confidence: 90 };
      form.layout!.fields = Array.from({ length: count }, () => field);
      return form;
    };
    expect(initialLayout(withFields(5))).toBe('page');
    expect(initialLayout(withFields(2))).toBe('lines');
  });

  it('proportional text is in Lines view, also with indents', () => {
    expect(initialLayout(screen(CODE, (word) => 1 + 0.15 * Math.sin(word)))).toBe('lines');
    expect(initialLayout(note as Extraction)).toBe('lines');
  });

  it('typewritten paragraphs are in Lines view', () => {
    const paragraph =
      '  The letter begins with\na line that is set in, and\ngoes on flush with the margin\nof the whole page.';
    expect(
      initialLayout(screen([paragraph, paragraph, paragraph, paragraph].join('\n').replace('  The', 'The'))),
    ).toBe('lines');
    expect(initialLayout(screen(CODE.replaceAll(/^ +/gm, '')))).toBe('lines');
  });

  it('first layout: the last choice applies to every text', () => {
    storeLayout('paragraphs');
    expect(initialLayout(code)).toBe('paragraphs');
    storeLayout('page');
    expect(initialLayout(note as Extraction)).toBe('page');
    storeLayout('lines');
    expect(initialLayout(code)).toBe('lines');
  });

  it('a text without positions is never in Layout view', () => {
    const alone = readingOfText('if (a) {\n  b();\n}', 'eng');
    expect(initialLayout(alone)).toBe('lines');
    storeLayout('page');
    expect(initialLayout(alone)).toBe('lines');
    storeLayout('paragraphs');
    expect(initialLayout(alone)).toBe('paragraphs');
  });

  it('first layout: works without localStorage and with an invalid stored value', () => {
    localStorage.setItem('text-layout', 'upside down');
    expect(initialLayout(code)).toBe('page');
    vi.stubGlobal('localStorage', undefined);
    storeLayout('lines');
    expect(initialLayout(code)).toBe('page');
  });
});

import { describe, expect, it } from 'vitest';
import { dataIn } from '../languages/language-data.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { correctedByLexicon } from './lexicon-correction.ts';
import type { Segment } from './segments.ts';

const lexicon = new Lexicons(dataIn([])).of(['eng']);

/** A word with the secondary recognizer's chance for each text. */
function wordWith(chances: Readonly<Record<string, number>>): Segment {
  const likelihood = (text: string) => (chances[text] ?? -40) / text.length;
  const reading = { glyphs: [], likelihood };
  return { first: [], second: [], from: 1, to: 4, check: { from: 0, to: 8, reading } };
}

describe('correctedByLexicon: a word outside the lexicon', () => {
  it('becomes the known word one letter away when that is nearly as likely', () => {
    const word = wordWith({ wonoerful: -1, wonderful: -2 });
    expect(correctedByLexicon('wonoerful', word, lexicon)).toBe('wonderful');
  });

  it('keeps its case and the marks around it', () => {
    const word = wordWith({ '(Recipt),': -1, '(Receipt),': -2, RECIPT: -1, RECEIPT: -2 });
    expect(correctedByLexicon('(Recipt),', word, lexicon)).toBe('(Receipt),');
    expect(correctedByLexicon('RECIPT', word, lexicon)).toBe('RECEIPT');
  });

  it('becomes the likeliest of several', () => {
    const word = wordWith({ hoxse: -1, house: -3, horse: -2 });
    expect(correctedByLexicon('hoxse', word, lexicon)).toBe('horse');
  });

  it('stays when it was read clearly, as names are', () => {
    const word = wordWith({ Annah: -0.1, Hannah: -9 });
    expect(correctedByLexicon('Annah', word, lexicon)).toBe('Annah');
  });

  it('stays when it is short, or when only the primary recognizer read it', () => {
    expect(correctedByLexicon('yol', wordWith({ yol: -1, you: -1 }), lexicon)).toBe('yol');
    const unchecked: Segment = { first: [], second: [], from: 1, to: 4 };
    expect(correctedByLexicon('wonoerful', unchecked, lexicon)).toBe('wonoerful');
  });
});

it('correctedByLexicon: a name with letters of another language stays', () => {
  expect(correctedByLexicon('Noël', wordWith({ Noël: -1, Noel: -1 }), lexicon)).toBe('Noël');
});

it('correctedByLexicon: a word of the lexicon stays', () => {
  expect(correctedByLexicon('house', wordWith({ house: -5, mouse: -1 }), lexicon)).toBe('house');
});

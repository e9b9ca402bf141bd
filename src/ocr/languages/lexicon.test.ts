import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OCR_ERRORS } from '../errors.ts';
import { dataIn } from './language-data.ts';
import { Lexicons } from './lexicon.ts';

const english = new Lexicons(dataIn([])).of(['eng']);
const empty = mkdtempSync(path.join(tmpdir(), 'lexicon-'));
afterAll(() => rmSync(empty, { recursive: true }));

describe('Lexicon of English', () => {
  it.each(['the', 'receipt', 'RECEIPT', 'London', 'london', 'gallbladder'])('has %s', (word) => {
    expect(english.has(word)).toBe(true);
  });

  it.each(['xqzzt', 'recei', 'thhe', '', 'qß'])('does not have "%s"', (word) => {
    expect(english.has(word)).toBe(false);
  });

  it('has every word that it lists', () => {
    let count = 0;
    for (const word of english.words()) {
      if (count % 5000 === 0) expect(english.has(word), word).toBe(true);
      count++;
    }
    expect(count).toBeGreaterThan(100_000);
  });

  it.each([
    ['wonoerful', 'wonderful', 'exchanged'],
    ['recipt', 'receipt', 'left out'],
    ['Thhe', 'the', 'put in'],
  ])('near %s returns the word %s: a letter was %s', (word, near) => {
    expect(english.near(word)).toContain(near);
  });

  it('near a word returns neither itself nor words at a distance of two letters', () => {
    const near = english.near('house');
    expect(near).toContain('mouse');
    expect(near).not.toContain('house');
    expect(near).not.toContain('horses');
  });

  it('has the letters of English', () => {
    expect([...'aZé'].every((letter) => english.letters.has(letter))).toBe(true);
    expect(english.letters.has('7')).toBe(false);
  });
});

describe('Lexicons', () => {
  it('open each language once', () => {
    const lexicons = new Lexicons(dataIn([]));
    expect(lexicons.of(['eng'])).toBe(lexicons.of(['eng']));
  });

  it('throw an error for a language without data', () => {
    expect(() => new Lexicons(dataIn([empty])).of(['deu'])).toThrow(
      expect.objectContaining({ code: OCR_ERRORS.languageUnavailable }),
    );
  });
});

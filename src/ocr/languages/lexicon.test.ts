import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OCR_ERRORS } from '../errors.ts';
import { Lexicons } from './lexicon.ts';

const english = new Lexicons([]).of(['eng']);
const empty = mkdtempSync(path.join(tmpdir(), 'lexicon-'));
afterAll(() => rmSync(empty, { recursive: true }));

describe('the English lexicon', () => {
  it.each(['the', 'receipt', 'RECEIPT', 'London', 'london', 'gallbladder'])('knows %s', (word) => {
    expect(english.has(word)).toBe(true);
  });

  it.each(['xqzzt', 'recei', 'thhe', '', 'qß'])('does not know "%s"', (word) => {
    expect(english.has(word)).toBe(false);
  });

  it('finds every word that it lists', () => {
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
  ])('finds near %s the word %s: a letter was %s', (word, near) => {
    expect(english.near(word)).toContain(near);
  });

  it('finds near a word neither itself nor what two letters set apart', () => {
    const near = english.near('house');
    expect(near).toContain('mouse');
    expect(near).not.toContain('house');
    expect(near).not.toContain('horses');
  });

  it('knows its letters', () => {
    expect([...'aZé'].every((letter) => english.letters.has(letter))).toBe(true);
    expect(english.letters.has('7')).toBe(false);
  });
});

describe('lexicons', () => {
  it('are opened once', () => {
    const lexicons = new Lexicons([]);
    expect(lexicons.of(['eng'])).toBe(lexicons.of(['eng']));
  });

  it('of a language without data are an error that says so', () => {
    expect(() => new Lexicons([empty]).of(['deu'])).toThrow(
      expect.objectContaining({ code: OCR_ERRORS.languageUnavailable }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import figures from './figures.json' with { type: 'json' };
import { countGrades, gradeOf, isWholeScript } from './read-languages.ts';

test('isWholeScript: is true for models of whole scripts only', () => {
  expect(['Cyrillic', 'HanS_vert', 'rus', 'chi_sim_vert'].filter(isWholeScript)).toEqual([
    'Cyrillic',
    'HanS_vert',
  ]);
});

describe('language grades', () => {
  test('gradeOf: returns the grade for a character error rate, limits included', () => {
    expect([0, 1, 1.1, 3, 4.9, 5, 5.1, 100].map(gradeOf)).toEqual([
      'veryWell',
      'veryWell',
      'well',
      'well',
      'fairlyWell',
      'fairlyWell',
      'poorly',
      'poorly',
    ]);
  });

  test('countGrades: counts the grades of clean print, and languages without a measurement separately', () => {
    const language = (code: string) => ({ code, name: code });
    const measured = {
      eng: { clean: { glyphlift: 0 } },
      deu: { clean: { glyphlift: 0.4 } },
      yor: { clean: { glyphlift: 20 } },
      xxx: { clean: { glyphlift: 2 } },
    };
    expect(countGrades(['eng', 'deu', 'yor', 'jpn_vert'].map(language), measured)).toEqual({
      grades: [
        ['veryWell', 2],
        ['poorly', 1],
      ],
      notMeasured: 1,
    });
  });

  test('figures: contain English and a hundred other languages, each in clean print and in a degraded copy', () => {
    const all: Record<string, { clean: object; worn: object }> = figures.languages;
    expect(Object.keys(all).length).toBeGreaterThan(100);
    expect(all.eng).toBeDefined();
    for (const { clean, worn } of Object.values(all)) {
      for (const errorRates of [clean, worn]) {
        expect(errorRates).toEqual({ glyphlift: expect.any(Number), tesseract: expect.any(Number) });
      }
    }
  });
});

import { queryOptions } from '@tanstack/react-query';
import type { ReadLanguage } from '#contract/languages';
import { recognition } from '../../api/client.ts';

export const readLanguagesQuery = queryOptions({
  queryKey: ['languages read'],
  queryFn: async ({ signal }): Promise<ReadLanguage[]> =>
    (await recognition.ask('GET /api/languages', { signal })).languages.map(({ code, name }) => ({
      code,
      name,
    })),
});

/** Whether a model is for a whole script instead of a language: `Cyrillic`, `HanS_vert`. */
export const isWholeScript = (code: string): boolean => /^[A-Z]/.test(code);

/** `maxErrorRate`: maximum character error rate of the grade, in percent. */
export const GRADES = {
  veryWell: { words: 'very well', maxErrorRate: 1 },
  well: { words: 'well', maxErrorRate: 3 },
  fairlyWell: { words: 'fairly well', maxErrorRate: 5 },
  poorly: { words: 'poorly', maxErrorRate: Number.POSITIVE_INFINITY },
} as const;
export type Grade = keyof typeof GRADES;

/** The grade for a character error rate in percent. */
export function gradeOf(characterErrorRate: number): Grade {
  const grades = Object.keys(GRADES) as Grade[];
  return grades.find((grade) => characterErrorRate <= GRADES[grade].maxErrorRate) ?? 'poorly';
}

/** The number of languages of each grade in clean print, and the number of languages that were not measured. */
export function countGrades(
  languages: readonly ReadLanguage[],
  measured: Readonly<Record<string, { clean: { glyphlift: number } }>>,
): { grades: [Grade, number][]; notMeasured: number } {
  const graded = languages.flatMap(({ code }) => {
    const figures = measured[code];
    return figures ? [gradeOf(figures.clean.glyphlift)] : [];
  });
  const grades = (Object.keys(GRADES) as Grade[]).map((grade): [Grade, number] => [
    grade,
    graded.filter((other) => other === grade).length,
  ]);
  return { grades: grades.filter(([, count]) => count > 0), notMeasured: languages.length - graded.length };
}

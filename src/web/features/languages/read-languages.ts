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

/** Data for whatever is written in one script, which is no language: `Cyrillic`, `HanS_vert`. */
export const isWholeScript = (code: string): boolean => /^[A-Z]/.test(code);

/** Each up to so many wrong letters in a hundred. */
export const GRADES = {
  veryWell: { words: 'very well', most: 1 },
  well: { words: 'well', most: 3 },
  fairlyWell: { words: 'fairly well', most: 5 },
  poorly: { words: 'poorly', most: Number.POSITIVE_INFINITY },
} as const;
export type Grade = keyof typeof GRADES;

/** How well letters are read of which so many in a hundred are wrong. */
export function gradeOf(wrongInHundred: number): Grade {
  const grades = Object.keys(GRADES) as Grade[];
  return grades.find((grade) => wrongInHundred <= GRADES[grade].most) ?? 'poorly';
}

/** How many languages there are of each grade, by clean print; what was not measured is counted apart. */
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
    graded.filter((one) => one === grade).length,
  ]);
  return { grades: grades.filter(([, many]) => many > 0), notMeasured: languages.length - graded.length };
}

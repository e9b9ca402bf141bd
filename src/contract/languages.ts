import { z } from 'zod';

/** Always installed, and the only language of the free plan. Codes are tesseract's: `deu`, `chi_sim`, `Cyrillic`. */
export const BUILT_IN_LANGUAGE = 'eng';

/** Maximum number of languages per image; each one makes recognition slower. */
export const MAX_LANGUAGES = 3;

/**
 * `GET /api/languages`: the languages of this server, by name; `allowed` says whether the caller may choose it,
 * `installed` whether its data is installed: otherwise it is fetched for the first picture.
 */
export const languagesResponseSchema = z.object({
  languages: z.array(
    z.object({ code: z.string(), name: z.string(), allowed: z.boolean(), installed: z.boolean() }),
  ),
});

const LANGUAGE_CODE = /^[A-Za-z]{3,30}(_[A-Za-z]{1,30})*$/;
export const languageCodeSchema = z.string().regex(LANGUAGE_CODE);

/** `GET /api/languages/:code`: the data of an installed language, for on-device recognition. */
export const languageDataSchema = z.object({
  name: z.string(),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type LanguageData = z.infer<typeof languageDataSchema>;

/** The fields of a language that do not depend on the caller. */
export type ReadLanguage = Pick<
  z.infer<typeof languagesResponseSchema>['languages'][number],
  'code' | 'name'
>;

/** The upload's `languages` field: codes joined by `+`, the main one first. */
export const languagesFieldSchema = z
  .string()
  .regex(/^[A-Za-z]{3,30}(_[A-Za-z]{1,30})*(\+[A-Za-z]{3,30}(_[A-Za-z]{1,30})*)*$/)
  .transform((text) => [...new Set(text.split('+'))])
  .refine((codes) => codes.length <= MAX_LANGUAGES);

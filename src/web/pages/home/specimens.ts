import specimens from './specimens.json';

/** What the engine read in one of the page's pictures; `scripts/read-specimens.ts` writes it. */
export interface Specimen {
  /** Lines of words, each with how sure the recognition was, 0 to 100. */
  lines: readonly (readonly (readonly [text: string, confidence: number])[])[];
  /** What Smart Text Filtering set aside. */
  hidden: readonly string[];
}

export const {
  receipt: RECEIPT,
  screen: SCREEN,
  page: PAGE,
} = specimens as unknown as Record<'receipt' | 'screen' | 'page', Specimen>;

import specimens from './specimens.json';

/** The engine's reading of one of the page's pictures; written by `scripts/read-specimens.ts`. */
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

/** The product's name and its unchanging words. */
export const BRAND = {
  name: 'Glyphlift',
  tagline: 'Lift the words out of any picture.',
} as const;

/** The most decimals that a number may have. */
export const MOST_DECIMALS = 6;

/**
 * Decimals of a cell's number; null for text that is not clearly a number: 007, 1-2, more digits than a spreadsheet keeps,
 * and three decimals, which may be thousands.
 */
export function decimalsOf(text: string): number | null {
  const number = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  if (!number || text.replaceAll(/\D/g, '').length > 15) return null;
  const decimals = number[1]?.length ?? 0;
  return decimals === 3 || decimals > MOST_DECIMALS ? null : decimals;
}

/** A spreadsheet's format for numbers with this many decimals. */
export const numberFormat = (decimals: number) => (decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`);

/** The most decimals that a number may have. */
export const MOST_DECIMALS = 6;

/**
 * How many decimals a cell's number has; null for what is no number beyond doubt: 007, 1-2, more digits than a spreadsheet
 * keeps, and three decimals, which may as well be thousands.
 */
export function decimalsOf(text: string): number | null {
  const number = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  if (!number || text.replaceAll(/\D/g, '').length > 15) return null;
  const decimals = number[1]?.length ?? 0;
  return decimals === 3 || decimals > MOST_DECIMALS ? null : decimals;
}

/** A spreadsheet's format for numbers with so many decimals. */
export const numberFormat = (decimals: number) => (decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`);

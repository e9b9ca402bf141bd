import { firstOf, itemAt } from '#formats/checked';

/** A decimal number: `units` × 10^-`decimals`. */
interface Amount {
  units: bigint;
  decimals: number;
}

/** A cell that states a sum. */
export interface Total {
  row: number;
  column: number;
  /** The formatted sum of the rows above; null if the cell states it correctly. */
  expectedSum: string | null;
}

const TOTAL =
  /\b(?:sub-?total|total|totals|sum|balance due|amount due|summe|gesamt|zwischensumme|totale|suma)\b/i;

const PLAIN = /^(\d+|\d{1,3}(?:[,\u00a0\u202f ]\d{3})+)(?:\.(\d{1,6}))?$/;
/** The format of continental Europe. */
const WITH_COMMA = /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))$/;

/** Parses a number, ignoring signs of currencies and percent; null for other text. */
export function parseAmount(text: string): Amount | null {
  const withoutSign = text.trim().replaceAll(/^[$€£¥]\s?|\s?[$€£¥%]$/g, '');
  const isNegative = /^[-\u2212]|^\(.*\)$/.test(withoutSign);
  const digits = withoutSign.replaceAll(/^[-\u2212(]\s?[$€£¥]?|\)$/g, '');
  const parts = PLAIN.exec(digits) ?? WITH_COMMA.exec(digits);
  if (!parts) return null;
  const [, whole = '', decimals = ''] = parts;
  const units = BigInt(whole.replaceAll(/\D/g, '') + decimals);
  return { units: isNegative ? -units : units, decimals: decimals.length };
}

/** Placeholders for a missing number. */
const MISSING = /^(?:n\.?\/?a\.?|[-\u2013\u2014.*]+)$/i;

/** Whether most filled cells of a column below its header are numbers. */
export function isNumeric(rows: readonly (readonly string[])[], column: number, headerRows: number): boolean {
  const filled = rows
    .slice(headerRows)
    .flatMap((row) => row[column]?.trim() || [])
    .filter((text) => !MISSING.test(text));
  return filled.length > 0 && filled.filter((text) => parseAmount(text) !== null).length > filled.length / 2;
}

/** Fewer figures may add up by chance. */
const MIN_ADDED = 2;

/**
 * Checks the sums that a table states in rows with a word such as "total". A stated sum may be the sum of all rows above, of
 * the rows since the last sum, or of both, such as a subtotal and its tax.
 */
export function totalsOf(rows: readonly (readonly string[])[], headerRows: number): Total[] {
  const columns = rows[0]?.length ?? 0;
  const isTotal = rows.map((row) => row.some((text) => TOTAL.test(text)));
  const totals = Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const amounts = rows.map((row, at) => (at < headerRows ? null : parseAmount(row[column] ?? '')));
    const decimals = Math.max(0, ...amounts.map((amount) => amount?.decimals ?? 0));
    const scaled = amounts.map(
      (amount) => amount && amount.units * 10n ** BigInt(decimals - amount.decimals),
    );
    return rows.flatMap((_, row): Total[] => {
      const stated = scaled[row];
      if (!isTotal[row] || stated === null || stated === undefined) return [];
      const above = scaled.slice(0, row);
      const before = above.findLastIndex((units, at) => units !== null && isTotal[at]);
      const sumOf = (units: readonly (bigint | null)[]) =>
        units.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n);
      const items = above.filter((units, at) => units !== null && !isTotal[at]);
      const sinceLastTotal = above.slice(before + 1).filter((units) => units !== null);
      if (items.length < MIN_ADDED && sinceLastTotal.length + Number(before >= 0) < MIN_ADDED) return [];
      const sums = [sumOf(items), sumOf(sinceLastTotal), ...(before < 0 ? [] : [sumOf(above.slice(before))])];
      const addsUp = sums.includes(stated);
      const expected = before < 0 ? firstOf(sums) : itemAt(sums, 2);
      return [{ row, column, expectedSum: addsUp ? null : formatAmount(expected, decimals) }];
    });
  });
  // Other columns may contain numbers without a sum, such as rates.
  const isTrusted = totals.some(({ expectedSum }) => expectedSum === null);
  const isOnlyOneInRow = ({ row }: Total) => totals.filter((other) => other.row === row).length === 1;
  return totals.filter((total) => total.expectedSum === null || isTrusted || isOnlyOneInRow(total));
}

function formatAmount(units: bigint, decimals: number): string {
  const digits = `${units < 0n ? -units : units}`.padStart(decimals + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en-US');
  return `${units < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

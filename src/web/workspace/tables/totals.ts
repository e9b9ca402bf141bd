import { firstOf, itemAt } from '#formats/checked';

/** A whole number of the smallest unit that a column has, with the number of its decimals. */
interface Amount {
  units: bigint;
  decimals: number;
}

/** A figure of a table that states a sum. */
export interface Total {
  row: number;
  column: number;
  /** What the rows above add up to, as the column writes numbers; null where that is what it says. */
  instead: string | null;
}

const TOTAL =
  /\b(?:sub-?total|total|totals|sum|balance due|amount due|summe|gesamt|zwischensumme|totale|suma)\b/i;

const PLAIN = /^(\d+|\d{1,3}(?:[,\u00a0\u202f ]\d{3})+)(?:\.(\d{1,6}))?$/;
/** As on the European continent. */
const WITH_COMMA = /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))$/;

/** What a cell says as a number, signs of currencies and percent left aside; null for anything else. */
export function amountOf(text: string): Amount | null {
  const bare = text.trim().replaceAll(/^[$€£¥]\s?|\s?[$€£¥%]$/g, '');
  const isNegative = /^[-\u2212]|^\(.*\)$/.test(bare);
  const digits = bare.replaceAll(/^[-\u2212(]\s?[$€£¥]?|\)$/g, '');
  const parts = PLAIN.exec(digits) ?? WITH_COMMA.exec(digits);
  if (!parts) return null;
  const [, whole = '', decimals = ''] = parts;
  const units = BigInt(whole.replaceAll(/\D/g, '') + decimals);
  return { units: isNegative ? -units : units, decimals: decimals.length };
}

/** Stands where a number is missing. */
const MISSING = /^(?:n\.?\/?a\.?|[-\u2013\u2014.*]+)$/i;

/** Whether most of what stands in a column below its heads is numbers. */
export function isNumeric(rows: readonly (readonly string[])[], column: number, headerRows: number): boolean {
  const filled = rows
    .slice(headerRows)
    .flatMap((row) => row[column]?.trim() || [])
    .filter((text) => !MISSING.test(text));
  return filled.length > 0 && filled.filter((text) => amountOf(text) !== null).length > filled.length / 2;
}

/** Fewer figures add up by chance. */
const MIN_ADDED = 2;

/**
 * The sums that a table states: in rows with a word for one. Such a figure may be the sum of all rows above, of those since the
 * last sum, or of that and them, such as a subtotal and its tax.
 */
export function totalsOf(rows: readonly (readonly string[])[], headerRows: number): Total[] {
  const columns = rows[0]?.length ?? 0;
  const isTotal = rows.map((row) => row.some((text) => TOTAL.test(text)));
  const totals = Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const amounts = rows.map((row, at) => (at < headerRows ? null : amountOf(row[column] ?? '')));
    const decimals = Math.max(0, ...amounts.map((amount) => amount?.decimals ?? 0));
    const scaled = amounts.map(
      (amount) => amount && amount.units * 10n ** BigInt(decimals - amount.decimals),
    );
    return rows.flatMap((_, row): Total[] => {
      const says = scaled[row];
      if (!isTotal[row] || says === null || says === undefined) return [];
      const above = scaled.slice(0, row);
      const before = above.findLastIndex((units, at) => units !== null && isTotal[at]);
      const sumOf = (units: readonly (bigint | null)[]) =>
        units.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n);
      const items = above.filter((units, at) => units !== null && !isTotal[at]);
      const since = above.slice(before + 1).filter((units) => units !== null);
      if (items.length < MIN_ADDED && since.length + Number(before >= 0) < MIN_ADDED) return [];
      const sums = [sumOf(items), sumOf(since), ...(before < 0 ? [] : [sumOf(above.slice(before))])];
      const addsUp = sums.includes(says);
      const expected = before < 0 ? firstOf(sums) : itemAt(sums, 2);
      return [{ row, column, instead: addsUp ? null : written(expected, decimals) }];
    });
  });
  // A column beside may hold something that no sum is made of, such as rates.
  const isTrusted = totals.some(({ instead }) => instead === null);
  const isAlone = ({ row }: Total) => totals.filter((other) => other.row === row).length === 1;
  return totals.filter((total) => total.instead === null || isTrusted || isAlone(total));
}

function written(units: bigint, decimals: number): string {
  const digits = `${units < 0n ? -units : units}`.padStart(decimals + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en-US');
  return `${units < 0n ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
}

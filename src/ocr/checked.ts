/* Reads of what the caller knows to be there: each throws where there is nothing. */

/** @throws {RangeError} if the list is empty */
export function lastOf<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

/** @throws {TypeError} without a value */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('a value is missing');
  return value;
}

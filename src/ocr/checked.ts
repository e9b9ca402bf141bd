/* Access to values that the caller knows to exist; each function throws if there is none. */

/** @throws {RangeError} outside the list */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`place ${index} of a list of ${items.length}`);
  return item;
}

/** @throws {RangeError} if the list is empty */
export const firstOf = <T>(items: ArrayLike<T>): T => itemAt(items, 0);

/** @throws {RangeError} if the list is empty */
export const lastOf = <T>(items: ArrayLike<T>): T => itemAt(items, items.length - 1);

/** Each item but the last with the one after it. */
export const pairwise = <T>(items: readonly T[]): [T, T][] =>
  items.slice(1).map((item, i) => [itemAt(items, i), item]);

/** @throws {TypeError} without a value */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('a value is missing');
  return value;
}

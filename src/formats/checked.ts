/*
 * Checked access to elements that the caller knows to exist. A wrong index throws at once instead of giving undefined.
 */

/** @throws {RangeError} outside the list */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`index ${index} is outside a list of ${items.length}`);
  return item;
}

/** @throws {RangeError} if the list is empty */
export const firstOf = <T>(items: ArrayLike<T>): T => itemAt(items, 0);

/** @throws {RangeError} if the list is empty */
export const lastOf = <T>(items: ArrayLike<T>): T => itemAt(items, items.length - 1);

/** @throws {TypeError} for null and undefined */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('a value is missing');
  return value;
}

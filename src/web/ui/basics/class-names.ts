import { type ClassValue, clsx } from 'clsx';

/** Joins class names; a part's own classes come first, the caller's last. */
export function classNames(...values: ClassValue[]): string {
  return clsx(values);
}

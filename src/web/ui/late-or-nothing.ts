import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A part that comes late, and that a page can do without: where its code cannot be had, nothing stands in its place. */
export const lateOrNothing = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );

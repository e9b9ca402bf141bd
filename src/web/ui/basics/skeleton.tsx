import { classNames } from './class-names.ts';

/** Placeholder of loading content. Give it the size of the content, so that the layout does not shift. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('skeleton block rounded-control bg-sunk', className)} />
  );
}

import { classNames } from './class-names.ts';

/** Stands where content will be. Give it the size of what it stands for, so that nothing moves later. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('skeleton block rounded-control bg-sunk', className)} />
  );
}

import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

type CardProps = ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' };

/** A sheet lying on the paper: one hairline, no shadow. Padding is the caller's through `CardBody`. */
export function Card({ as: Element = 'div', className, ...rest }: CardProps) {
  return <Element {...rest} className={clsx('rounded-sheet border border-rule bg-sheet', className)} />;
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('p-5 md:p-6', className)} />;
}

/** The strip above a sheet's body that says what the sheet holds. */
export function CardHeader({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={clsx(
        'flex flex-wrap items-center justify-between gap-3 border-b border-rule px-5 py-3 md:px-6',
        className,
      )}
    />
  );
}

const TONES = {
  plain: 'border-rule-strong text-ink',
  /** Highlighter: look here. Only where the reader should act or doubt. */
  marked: 'border-marker bg-marker text-on-marker',
  solid: 'border-ink bg-ink text-paper',
} as const;

type BadgeProps = ComponentProps<'span'> & { tone?: keyof typeof TONES };

export function Badge({ tone = 'plain', className, ...rest }: BadgeProps) {
  return (
    <span
      data-badge
      {...rest}
      className={clsx(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-control border px-2 py-0.5 text-sm font-medium tabular-nums',
        TONES[tone],
        className,
      )}
    />
  );
}

/** Placeholder of loading content. Give it the size of the content, so that the layout does not shift. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('skeleton block rounded-control bg-sunk', className)} />;
}

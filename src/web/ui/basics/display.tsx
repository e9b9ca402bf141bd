import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { BRAND } from '#contract/product';

/* Elements without actions: cards, badges, placeholders, progress and the logo. */

type CardProps = ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' };

/** A bordered container without padding; `CardBody` adds padding. */
export function Card({ as: Element = 'div', className, ...rest }: CardProps) {
  return <Element {...rest} className={clsx('rounded-sheet border border-rule bg-sheet', className)} />;
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('p-5 md:p-6', className)} />;
}

/** The header row of a card. */
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
  /** Highlighter yellow. Only for words and states that the user should check. */
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

interface ProgressProps {
  /** 0 to 100. */
  value: number;
  label: string;
  className?: string;
}

/** A native element, whose width needs no inline style. The content security policy forbids inline styles. */
export function Progress({ value, label, className }: ProgressProps) {
  return (
    <progress className={clsx('progress', className)} value={value} max={100} aria-label={label}>
      {value}%
    </progress>
  );
}

/** Path coordinates are rounded to 1/16 of a pixel at a size of 32 px, because every page loads this script. */
const LOGO_LETTER =
  'M126-130q-33 0-56 4-22 4-36 11-14 7-21 16-6 9-6 20 0 9 4 17 4 7 15 14 11 6 31 11 21 6 55 11h28l0-5q-28-3-42-8-14-5-19-12-5-6-5-15 0-10 7-18 8-7 22-11 15-5 38-5 23 0 38 4 16 5 23 12 8 7 8 15 0 6-4 11-3 4-13 7-10 4-29 6-19 2-49 5-31 2-50 8-18 5-28 14-10 8-14 18-3 11-3 23 1 24 19 39 18 14 56 18l9-11q-16-2-21-6-5-4-5-10 0-5 3-8 3-3 12-5 8-3 25-4 16-1 43-2 30-2 51-6 21-5 34-13 13-9 19-21 6-13 6-30 0-27-17-49-16-21-49-33-32-12-79-12zm0 194q-36 0-61 11-24 10-37 29-13 19-13 44 0 27 14 46 14 19 39 29 26 10 59 10 29 0 50-8 21-8 34-21 14-12 20-27 7-15 7-28 0-27-14-46-14-19-39-29-25-10-59-10zm2 30q11 0 17 10 6 11 6 39 0 34-7 48-7 13-19 13-10 0-16-10-6-10-6-39 0-35 7-48 7-13 18-13zm36 117l-4 18q22-3 38-2 16 0 28 2 12 2 21 4 9 1 17 1 8 0 13-4 4-5 4-17 0-18-7-25-7-7-15-7-9 0-17 6-7 6-17 13-10 7-25 11-14 4-36 0z';

/** The logo: a letter between corner marks, of which the top right one is missing. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={className}>
      <path d="M3.25 15V9.25H7.5M3.25 24v5.75H9M29.75 24v5.75H24" stroke="currentColor" strokeWidth="2.5" />
      <path d={LOGO_LETTER} transform="translate(9.6 15.2) scale(.0608 -.0608)" fill="currentColor" />
    </svg>
  );
}

export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-2', className)}>
      <Logo className="size-8" />
      <span className="translate-y-1 font-display text-xl font-semibold tracking-tight">{BRAND.name}</span>
    </span>
  );
}

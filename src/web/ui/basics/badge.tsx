import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  plain: 'border-rule-strong text-ink',
  /** Highlighted; for parts that the user should check. Only where the reader should act or doubt. */
  marked: 'border-marker bg-marker text-on-marker',
  solid: 'border-ink bg-ink text-paper',
} as const;

type BadgeProps = ComponentProps<'span'> & { tone?: keyof typeof TONES };

export function Badge({ tone = 'plain', className, ...rest }: BadgeProps) {
  return (
    <span
      data-badge
      {...rest}
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-control border px-2 py-0.5 text-sm font-medium tabular-nums',
        TONES[tone],
        className,
      )}
    />
  );
}

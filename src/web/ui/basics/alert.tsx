import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

const TONES = {
  info: { box: 'border-rule-strong bg-sheet', iconBox: 'bg-sunk text-ink', icon: 'info' },
  warning: { box: 'border-rule-strong bg-sheet', iconBox: 'bg-marker text-on-marker', icon: 'warning' },
  danger: { box: 'border-danger bg-danger-wash', iconBox: 'bg-danger text-sheet', icon: 'danger' },
} as const;

interface AlertProps {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  /** A button or link for the next step. */
  action?: ReactNode;
  /** A toast announces the same message, so screen readers must not announce this one too. */
  isAnnouncedElsewhere?: boolean;
  className?: string;
}

/** A message in the page. Screen readers announce `danger` immediately and other tones when they are idle. */
export function Alert({
  tone = 'info',
  title,
  children,
  action,
  isAnnouncedElsewhere = false,
  className,
}: AlertProps) {
  const { box, iconBox, icon } = TONES[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      aria-live={isAnnouncedElsewhere ? 'off' : undefined}
      className={clsx('flex overflow-hidden rounded-sheet border', box, className)}
    >
      <div className={clsx('flex w-11 shrink-0 justify-center pt-3', iconBox)}>
        <Icon name={icon} />
      </div>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-3 px-4 py-2.5">
        {/* A toast with the same message is at the right edge, where it would cover the buttons. */}
        <div
          className={clsx('min-w-0 py-0.5', isAnnouncedElsewhere ? 'flex-[0_1_auto]' : 'flex-[1_1_16rem]')}
        >
          {title && <p className="font-medium">{title}</p>}
          {children && <div className="text-ink-soft first:text-ink">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  );
}

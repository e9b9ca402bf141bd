import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import type { FocusEvent, ReactElement, ReactNode } from 'react';

/** Milliseconds. Moving from one tooltip to the next within the second figure shows it at once. */
const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/** Surrounds all tooltips that share one delay. Import from parts that load lazily: positioning is heavy. */
export function TooltipGroup({ children }: { children: ReactNode }) {
  return (
    <Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Provider>
  );
}

/** Keyboard users need the label; a pointer user has seen what is pressed. */
const unlessPressed = (event: FocusEvent) => {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
};

interface TooltipProps {
  label: ReactNode;
  /** One focusable element; it keeps its own accessible name, the tooltip only describes it. */
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

export function Tooltip({ label, children, side = 'top' }: TooltipProps) {
  return (
    <Root>
      <Trigger asChild onFocus={unlessPressed}>
        {children}
      </Trigger>
      <Portal>
        <Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-64 rounded-control bg-ink px-2.5 py-1.5 text-sm text-paper motion-fade"
        >
          {label}
        </Content>
      </Portal>
    </Root>
  );
}

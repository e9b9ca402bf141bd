import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import type { FocusEvent, ReactElement, ReactNode } from 'react';

/** Delay of the first tooltip. The next one is shown immediately if the pointer reaches it within `SKIP_DELAY_MS`. */
const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

/**
 * Surrounds tooltips that share one delay. Import it only in lazily loaded code, because the positioning code is large.
 */
export function TooltipGroup({ children }: { children: ReactNode }) {
  return (
    <Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Provider>
  );
}

/** A press also focuses the control. Only focus by keyboard shows the tooltip. */
const ignorePointerFocus = (event: FocusEvent) => {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
};

interface TooltipProps {
  label: ReactNode;
  /** One focusable element with an accessible name. The tooltip is only its description. */
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

export function Tooltip({ label, children, side = 'top' }: TooltipProps) {
  return (
    <Root>
      <Trigger asChild onFocus={ignorePointerFocus}>
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

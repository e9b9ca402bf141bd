import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../basics/button.tsx';
import { useEventCallback } from '../basics/events.ts';

interface DisclosureProps {
  label: string;
  /** Renders the form. It calls `collapse` when it is done. */
  children: (collapse: () => void) => ReactNode;
}

/** A button that expands a form and focuses its first field. Collapsing returns the focus to the button. */
export function Disclosure({ label, children }: DisclosureProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const fold = useEventCallback(() => {
    setOpen(false);
    button.current?.focus();
  });
  useEffect(() => {
    if (open) content.current?.querySelector<HTMLElement>('input')?.focus();
  }, [open]);
  return (
    <div className="grid justify-items-start gap-4">
      <Button
        ref={button}
        variant="secondary"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen((was) => !was)}
      >
        {label}
      </Button>
      {open && (
        <div ref={content} id={id} className="w-full max-w-md">
          {children(fold)}
        </div>
      )}
    </div>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { toast, toastError } from '../../ui/toast/toast-store.ts';

interface ShownSecretProps {
  label: string;
  secret: string;
  /** Says what the secret is and that it is not shown again. */
  children: ReactNode;
  onDone: () => void;
}

/** Shows a new secret, once. */
export function ShownSecret({ label, secret, children, onDone }: ShownSecretProps) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ title: 'Copied!', description: 'Store it where only your program can read it.' });
    } catch {
      toastError('Please select and copy it by hand.');
    }
  };
  return (
    <div className="grid gap-4">
      <p>{children}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: `output` is for computed results; the group only needs a name for the focus */}
      <code
        ref={shown}
        role="group"
        tabIndex={-1}
        aria-label={label}
        className="block border-y border-rule py-3 font-mono wrap-anywhere outline-none select-all"
      >
        {secret}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button onClick={onDone}>I have saved it</Button>
      </div>
    </div>
  );
}

import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast, toastError } from '../../ui/toast-store.ts';
import type { MadeKey } from './new-api-key-form.tsx';

/** A new key, shown this once. */
export function ShownKey({ made: { key, secret }, onDone }: { made: MadeKey; onDone: () => void }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ title: 'Copied!', description: 'Keep it where your program finds it, and nobody else.' });
    } catch {
      toastError('Please select and copy the key by hand.');
    }
  };
  return (
    <div className="grid gap-4">
      <p>
        This is the key “{key.name}”. Copy it now: we keep only a hash of it and cannot show it again. Whoever
        has it reads pictures out of your quota.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: nothing is computed here; it is a name for what has the focus */}
      <code
        ref={shown}
        role="group"
        tabIndex={-1}
        aria-label="API key"
        className="block border-y border-rule py-3 font-mono wrap-anywhere outline-none select-all"
      >
        {secret}
      </code>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button onClick={onDone}>I have kept it</Button>
      </div>
    </div>
  );
}

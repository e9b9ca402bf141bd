import { useEffect, useRef } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { toast, toastError } from '../../ui/toast/toast-store.ts';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied!', description: 'Keep them where you would find them without your phone.' });
    } catch {
      toastError('Please select and copy the codes by hand.');
    }
  };
  return (
    <div className="grid gap-4">
      <p>
        Keep these recovery codes where you would find them without your phone. Each works once instead of a
        code from your app. We cannot show them again.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(20ch,1fr))] gap-x-6 gap-y-1 font-mono whitespace-nowrap outline-none select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="glyphlift-recovery-codes.txt"
          className="inline-flex min-h-11 items-center gap-2 rounded-control border border-rule-strong bg-sheet px-5 font-medium hover:border-ink hover:bg-sunk"
        >
          <Icon name="download" />
          Download
        </a>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
    </div>
  );
}

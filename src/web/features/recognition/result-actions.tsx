import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast-store.ts';

interface ResultActionsProps {
  /** The text as it stands, edits included. */
  text: string;
  /** Called when copying is not allowed, so that the text can be selected for the reader. */
  onCopyFailed: () => void;
  onReset: () => void;
  /** One more thing to do with the text. */
  more?: ReactNode;
}

/** Take the text away, or start over. */
export function ResultActions({ text, onCopyFailed, onReset, more }: ResultActionsProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied!', description: 'Text copied to clipboard' });
    } catch {
      onCopyFailed();
      toast({
        title: 'Copy failed',
        description: 'Please select and copy the text manually',
        variant: 'destructive',
      });
    }
  };
  const download = () => {
    downloadText(text);
    toast({ title: 'Downloaded!' });
  };
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full">
      <Button className="max-md:flex-1" onClick={copy}>
        <Icon name="copy" />
        Copy
      </Button>
      <Button variant="secondary" className="max-md:flex-1" onClick={download}>
        <Icon name="download" />
        Download
      </Button>
      {more}
      <Button variant="secondary" className="max-md:w-full" onClick={onReset}>
        <Icon name="upload" />
        Upload Another Image
      </Button>
    </div>
  );
}

const two = (value: number) => String(value).padStart(2, '0');

/** `extracted-text-2025-03-09-140507.txt`, by the clock of whoever keeps the file. */
export function textFileName(now: Date): string {
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('');
  return `extracted-text-${date}-${time}.txt`;
}

/** Saves a text as a plain text file in UTF-8. */
export function downloadText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = textFileName(new Date());
  link.click();
  // The download has its own hold on the blob once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

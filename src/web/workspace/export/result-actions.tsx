import type { ReactNode } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { toast } from '../../ui/toast/toast-store.ts';
import { copyText, saveFile } from './copy-and-save.ts';

interface ResultActionsProps {
  text: () => string;
  /** Whether the text is empty, which disables the buttons. */
  isEmpty?: boolean;
  /** The text as HTML; omitted if it has no formatting. */
  formatted?: () => Promise<string>;
  /** Called if copying is not allowed, so that the caller can select the text. */
  onCopyFailed: () => void;
  /** Omitted if the page cannot start over or has another button for it. */
  onReset?: (() => void) | undefined;
  /** The menu of the other formats. */
  formats: ReactNode;
  more?: ReactNode;
}

/** Buttons that copy or download the text, or start over with another picture. */
export function ResultActions(props: ResultActionsProps) {
  const { text, isEmpty = false, formatted, onCopyFailed, onReset, formats, more } = props;
  const copy = async () => {
    if (!(await copyText(text(), formatted))) onCopyFailed();
  };
  const download = () => {
    saveFile({ content: text(), mediaType: 'text/plain;charset=utf-8', extension: 'txt' });
    toast({ title: 'Downloaded!' });
  };
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full">
      <Button className="max-md:flex-1 max-md:px-3" disabled={isEmpty} onClick={copy}>
        <Icon name="copy" className="max-[23rem]:hidden" />
        Copy
      </Button>
      <Button variant="secondary" className="max-md:flex-1 max-md:px-3" disabled={isEmpty} onClick={download}>
        <Icon name="download" className="max-[23rem]:hidden" />
        Download
      </Button>
      {formats}
      {more}
      {onReset && <StartOver onReset={onReset} />}
    </div>
  );
}

export const StartOver = ({ onReset }: { onReset: () => void }) => (
  <Button variant="ghost" className="px-3 max-md:w-full" onClick={onReset}>
    <Icon name="upload" />
    Upload Another Image
  </Button>
);

import type { ReactNode } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { toast } from '../../ui/toast/toast-store.ts';
import { copyText, saveFile } from './copy-and-save.ts';

interface ResultActionsProps {
  text: () => string;
  /** There is nothing to take away. */
  isEmpty?: boolean;
  /** The same with its form, as HTML; left out where it has none. */
  formatted?: () => Promise<string>;
  /** Called when copying is not allowed, so that the text can be selected for the reader. */
  onCopyFailed: () => void;
  /** Left out where there is nothing to start over with. */
  onReset?: (() => void) | undefined;
  /** The other formats that it can be taken away in. */
  formats: ReactNode;
  more?: ReactNode;
}

/** Take the text away, or start over with another picture. */
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

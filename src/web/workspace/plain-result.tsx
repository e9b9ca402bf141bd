import { useId, useImperativeHandle, useRef } from 'react';
import { Alert } from '../ui/basics/alert.tsx';
import { Button } from '../ui/basics/button.tsx';
import { Card } from '../ui/basics/display.tsx';
import { ResultHeader } from './result-header.tsx';
import type { ResultProps } from './result-props.ts';
import { typedEdit } from './text/text-history.ts';
import { useTextDocument } from './text/use-text-document.ts';

interface PlainResultProps extends ResultProps {
  /** Loads the workspace again. */
  onTryAgain: () => void;
}

/**
 * The result without its picture, shown if the workspace's code cannot be loaded: offline, or because the server has a newer
 * version. The code of this component is loaded before a picture is sent.
 */
export function PlainResult(props: PlainResultProps) {
  const { reading, preview, handle, onReset, onUpgrade, onWork, renderAction, onTryAgain } = props;
  const document = useTextDocument({
    extraction: reading.extraction,
    earlierWork: reading.work,
    onWork,
  });
  useImperativeHandle(handle, () => ({ setFiltering: document.setFiltering }), [document.setFiltering]);
  const area = useRef<HTMLTextAreaElement>(null);
  const headingId = useId();
  return (
    <Card as="section" aria-labelledby={headingId} className="overflow-hidden">
      <ResultHeader
        reading={reading}
        preview={preview}
        isEmpty={document.mapped.text === ''}
        doubtful={document.doubtful.length}
        now={() => document.mapped}
        exportSource={document.exportSource}
        isPage={document.layout === 'page'}
        headingId={headingId}
        area={area}
        onReset={onReset}
        onUpgrade={onUpgrade}
        renderAction={renderAction}
      />
      <div className="p-4">
        <Alert
          tone="warning"
          title="The picture beside the text could not be loaded"
          action={
            <Button variant="secondary" size="small" onClick={onTryAgain}>
              Try again
            </Button>
          }
        >
          The text is all here. If trying again does not help, copy or download it and reload the page.
        </Alert>
      </div>
      <textarea
        ref={area}
        aria-label="Extracted text"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        rows={16}
        value={document.mapped.text}
        onChange={({ target, nativeEvent }) => document.type(typedEdit(target, nativeEvent))}
        className="block w-full resize-y border-t border-rule bg-transparent p-5 font-mono leading-7 focus-visible:-outline-offset-2"
      />
    </Card>
  );
}

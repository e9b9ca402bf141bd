import { useEffect, useId, useRef } from 'react';
import { Badge, Card, CardHeader } from '../../../ui/basics/display.tsx';
import { counted } from '../../../ui/basics/words.ts';
import { bringToTop } from '../../../ui/reveal.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import { saveFile } from '../../../workspace/export/copy-and-save.ts';
import { ExportProblemNote, MoreFormats } from '../../../workspace/export/more-formats.tsx';
import { ResultActions } from '../../../workspace/export/result-actions.tsx';
import { useExports } from '../../../workspace/export/use-exports.ts';
import type { RecognitionResult } from '../../../workspace/reading.ts';
import { combineTexts, toExported, zipTexts } from './batch-texts.ts';

interface CombinedTextProps {
  /** The results in the order of the list, with edits. */
  readings: () => readonly RecognitionResult[];
  /** Whether the results are pages of one document. */
  isDocument: boolean;
  onUpgrade: () => void;
}

/** All texts of a batch as one text, with buttons to copy and download it. */
export function CombinedText({ readings, isDocument, onUpgrade }: CombinedTextProps) {
  const exports = useExports((withPictures) => toExported(readings(), withPictures));
  const area = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return heading.current ? bringToTop(heading.current) : undefined;
  }, []);
  const all = readings();
  const text = combineTexts(all, isDocument);
  const words = all.reduce((sum, { extraction }) => sum + extraction.wordCount, 0);
  const selectAll = () => {
    area.current?.focus();
    area.current?.select();
  };
  const zip = async () => {
    try {
      saveFile({ content: await zipTexts(readings()), mediaType: 'application/zip', extension: 'zip' });
      toast({ title: 'Downloaded!', description: 'One text file for each picture' });
    } catch {
      toast({
        title: 'The ZIP file could not be created',
        description: 'Your texts are still here. Check your connection and try again.',
        variant: 'destructive',
      });
    }
  };
  return (
    <section aria-labelledby={id}>
      <Card className="overflow-hidden">
        <CardHeader>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h2 ref={heading} id={id} tabIndex={-1} className="scroll-mt-6 text-2xl outline-none">
              All texts together
            </h2>
            <span className="flex gap-2">
              <Badge>{counted(all.length, isDocument ? 'page' : 'picture')}</Badge>
              <Badge>{counted(words, 'word')}</Badge>
            </span>
          </div>
          <ResultActions
            text={() => text}
            onCopyFailed={selectAll}
            formats={
              <MoreFormats
                {...exports}
                last={{ name: 'ZIP', goodFor: 'One text file for each picture', act: () => void zip() }}
              />
            }
          />
        </CardHeader>
        {exports.problem && (
          <ExportProblemNote {...exports} problem={exports.problem} onUpgrade={onUpgrade} />
        )}
        <textarea
          ref={area}
          readOnly
          dir="auto"
          aria-label="All texts together"
          value={text}
          className="block h-[clamp(20rem,60vh,44rem)] w-full resize-none bg-transparent p-5 font-mono text-base leading-relaxed md:p-6"
        />
      </Card>
    </section>
  );
}

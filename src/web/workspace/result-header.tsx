import { useQuery } from '@tanstack/react-query';
import { memo, type RefObject, useEffect, useRef } from 'react';
import type { MappedText } from '#formats/pieces';
import { Badge, CardHeader } from '../ui/basics/display.tsx';
import { counted, formatSize } from '../ui/basics/words.ts';
import { bringToTop } from '../ui/reveal.ts';
import { ExportProblemNote, MoreFormats } from './export/more-formats.tsx';
import { PrintSheet } from './export/print-sheet.tsx';
import { ResultActions } from './export/result-actions.tsx';
import { loadExports, useExports } from './export/use-exports.ts';
import type { ExportSource } from './export/writer/export-text.ts';
import { languagesQuery } from './language-groups.ts';
import { detectedLanguages } from './reading.ts';
import { MinorNotices } from './result-notices.tsx';
import type { ResultProps } from './result-props.ts';

interface ResultHeaderProps extends Pick<ResultProps, 'reading' | 'preview' | 'onUpgrade' | 'renderAction'> {
  /** Undefined if the page has another button to start over. */
  onReset: (() => void) | undefined;
  isEmpty: boolean;
  /** Number of unchecked doubtful words. */
  doubtful: number;
  now: () => MappedText;
  /** The text in reading order, in every layout. */
  exportSource: () => Pick<ExportSource, 'extraction' | 'edited' | 'filled' | 'notTables'>;
  /** Whether the text is in Layout view. */
  isPage: boolean;
  headingId: string;
  /** The text area, which is selected if copying is not allowed. */
  area: RefObject<HTMLTextAreaElement | null>;
}

/** "German, found": the detected language. */
function DetectedLanguage({ code }: { code: string | undefined }) {
  const { data: languages } = useQuery({ ...languagesQuery, enabled: code !== undefined });
  const name = languages?.find((language) => language.code === code)?.name;
  return name && <Badge>{name}, found</Badge>;
}

/** File name, confidence and actions of a result. */
export const ResultHeader = memo(function ResultHeader(props: ResultHeaderProps) {
  const {
    reading,
    preview,
    isEmpty,
    doubtful,
    now,
    exportSource,
    isPage,
    headingId,
    area,
    onReset,
    onUpgrade,
    renderAction,
  } = props;
  const {
    picture: { file },
    attempt,
    extraction,
  } = reading;
  const url = preview.status === 'ready' ? preview.url : null;
  const exportedText = () => ({
    name: file.name,
    ...exportSource(),
    picture: { file, url },
  });
  const exports = useExports(() => [exportedText()]);
  const formatted = async () => {
    const { formattedPage, formattedText } = await loadExports();
    return isPage ? formattedPage(now().text) : formattedText(exportedText());
  };
  const heading = useRef<HTMLHeadingElement>(null);

  // The pressed button may be scrolled out of view, so the result gets the focus.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return heading.current ? bringToTop(heading.current) : undefined;
  }, []);

  return (
    <>
      <CardHeader className="gap-2 md:gap-x-4 md:gap-y-1 md:py-2">
        <h2 ref={heading} id={headingId} tabIndex={-1} className="text-xl outline-none md:scroll-mt-4">
          Extracted text
        </h2>
        {/* On a phone the file name is beside the heading, so that more lines of text are visible. */}
        <p className="flex min-w-0 flex-1 items-baseline justify-end gap-2 text-sm text-ink-soft md:order-2 md:flex-none">
          <span className="min-w-0 truncate">{file.name}</span>
          <span className="whitespace-nowrap tabular-nums">{formatSize(file.size)}</span>
        </p>
        <span className="flex flex-wrap gap-2 max-md:basis-full md:mr-auto">
          <Badge>{attempt.fromDocument ? 'Text from the PDF' : `${extraction.confidence}% confidence`}</Badge>
          <Badge>{counted(extraction.wordCount, 'word')}</Badge>
          <DetectedLanguage code={detectedLanguages(reading)[0]} />
        </span>
        <ResultActions
          text={() => now().text}
          isEmpty={isEmpty}
          formatted={formatted}
          onReset={onReset}
          formats={<MoreFormats {...exports} />}
          more={renderAction?.({
            text: () => now().text,
            isEmpty,
            language: extraction.language,
            fileName: file.name,
            doubtful,
          })}
          onCopyFailed={() => {
            area.current?.focus();
            area.current?.select();
          }}
        />
        <span aria-hidden="true" className="basis-full max-md:hidden md:order-1" />
        <MinorNotices extraction={extraction} attempt={attempt} />
      </CardHeader>
      {exports.problem && <ExportProblemNote {...exports} problem={exports.problem} onUpgrade={onUpgrade} />}
      <PrintSheet
        name={file.name}
        currentText={() => now().text}
        picture={url === null ? null : { url, image: extraction.image }}
      />
    </>
  );
});

import { clsx } from 'clsx';
import { useRef } from 'react';
import { lazyModule, useLazy } from '../../../hydration/lazy.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { formatSize } from '../../../ui/basics/words.ts';
import { type ChosenPicture, isOwnFile, type Preview } from '../../../workspace/reading.ts';
import type { PictureEditorProps } from '../choose/picture-editor.tsx';
import { ChangePicture } from './drop-zone.tsx';
import { needsServerPreview } from './image-file.ts';

const editor = lazyModule(() => import('../choose/picture-editor.tsx'));

interface FileSummaryProps {
  picture: ChosenPicture;
  preview: Preview;
  onPreviewError: () => void;
  onFiles: (files: readonly File[]) => void;
  onRedrawn: PictureEditorProps['onRedrawn'];
  describedBy?: string | undefined;
  hovering: boolean;
  /** Whether the picture is being read. An animation shows that. */
  reading: boolean;
}

/** The chosen picture: name, size and preview. */
export function FileSummary(props: FileSummaryProps) {
  const { picture, preview, onPreviewError, onFiles, onRedrawn, describedBy, hovering, reading } = props;
  const { file } = picture;
  const stage = useRef<HTMLDivElement>(null);
  const mayEdit = preview.status === 'loading' ? !needsServerPreview(file) : isOwnFile(preview);
  const tools = useLazy(editor, { enabled: mayEdit, attempt: file });
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      <div
        ref={stage}
        className={clsx(
          'crop-marks relative flex h-72 items-center justify-center overflow-hidden p-3 transition-colors duration-150 md:h-88',
          hovering ? 'bg-marker-wash' : 'bg-paper',
        )}
      >
        <PreviewPicture preview={preview} name={file.name} onError={onPreviewError} />
        {reading && <span aria-hidden="true" className="reading-light" />}
      </div>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4">
        <p className="flex min-w-0 items-baseline gap-2">
          <span className="min-w-0 truncate font-medium">{file.name}</span>
          <span className="whitespace-nowrap text-sm text-ink-soft tabular-nums">
            {formatSize(file.size)}
          </span>
        </p>
        {!reading &&
          mayEdit &&
          (tools ? (
            <tools.PictureEditor picture={picture} stage={stage} onRedrawn={onRedrawn} />
          ) : (
            // A placeholder, so that the button below does not move when the tools appear.
            <span className="min-h-11 max-md:order-last max-md:w-full md:-my-1.5" />
          ))}
        {!reading && (
          <ChangePicture onFiles={onFiles} describedBy={describedBy}>
            Choose another picture
          </ChangePicture>
        )}
      </div>
    </div>
  );
}

interface PreviewPictureProps {
  preview: Preview;
  name: string;
  onError: () => void;
}

function PreviewPicture({ preview, name, onError }: PreviewPictureProps) {
  if (preview.status === 'ready') {
    return (
      <img
        src={preview.url}
        alt={`Preview of ${name}`}
        onError={onError}
        className="max-h-full max-w-full object-contain"
      />
    );
  }
  if (preview.status === 'loading') {
    return (
      <span className="skeleton absolute inset-3 bg-sunk">
        <span className="sr-only">Making a preview</span>
      </span>
    );
  }
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toUpperCase() : 'FILE';
  return (
    <span className="flex flex-col items-center gap-2 text-center text-ink-soft">
      <Icon name="picture" className="size-10" />
      <span className="font-mono text-sm">{extension}</span>
      <span className="text-sm">No preview for this format. Its text can still be extracted.</span>
    </span>
  );
}

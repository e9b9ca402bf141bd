import { clsx } from 'clsx';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { MAX_IMAGE_MB } from '#contract/product';
import { Button } from '../../../ui/basics/button.tsx';
import { useEventCallback } from '../../../ui/basics/events.ts';
import { Icon } from '../../../ui/basics/icon.tsx';
import { ACCEPTED_FILES } from './image-file.ts';

interface PickerProps {
  /** Called with at least one file. */
  onFiles: (files: readonly File[]) => void;
  /** Id of the message about a problem with the last file, if there is one. */
  describedBy?: string | undefined;
}

interface FilePickerProps extends PickerProps {
  id: string;
  className?: string;
}

/** The file input of the tool. It is visually hidden; a label for it is shown. */
export function FilePicker({ id, onFiles, describedBy, className }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = useEventCallback((field: HTMLInputElement) => {
    const files = [...(field.files ?? [])];
    // Emptied, so that choosing the same file again fires `change`.
    field.value = '';
    if (files.length > 0) onFiles(files);
  });
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    // A file that was chosen, dropped or pasted before hydration is in the input.
    take(field);
    // A native listener, because the browser's file dialog may stay open while React replaces the input.
    field.onchange = () => take(field);
  }, [take]);
  return (
    <input
      ref={input}
      id={id}
      type="file"
      multiple
      accept={ACCEPTED_FILES}
      aria-describedby={describedBy}
      className={clsx('sr-only', className)}
    />
  );
}

interface DropZoneProps extends PickerProps {
  /** Whether a file is dragged over the page. */
  hovering: boolean;
  /** Chooses the picture in the clipboard. */
  onPaste: () => void;
  /** Opens the camera. */
  onCamera: () => void;
}

/** The area to drop, browse for, paste or photograph a picture. */
export function DropZone({ hovering, onFiles, onPaste, onCamera, describedBy }: DropZoneProps) {
  const input = useId();
  const hint = useId();
  return (
    <div
      className={clsx(
        'drop-zone crop-marks relative isolate flex min-h-72 flex-1 flex-col items-center justify-center p-6 text-center transition-colors duration-150 md:min-h-88',
        'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-4 has-[input:focus-visible]:outline-ink',
        hovering ? 'bg-marker-wash' : 'bg-paper hover:bg-sunk',
      )}
    >
      <FilePicker id={input} onFiles={onFiles} describedBy={[hint, describedBy].filter(Boolean).join(' ')} />
      <label htmlFor={input} className="flex flex-col items-center after:absolute after:inset-0 after:-z-1">
        <Icon name="upload" className="size-8" />
        <span className="mt-4 font-display text-2xl pointer-coarse:hidden">Drop a picture here</span>
        <span className="mt-4 hidden font-display text-xl pointer-coarse:inline">
          Take or choose a picture
        </span>
        <span className="mt-1 text-ink-soft">
          or <span className="underline decoration-rule-strong underline-offset-4">click to browse</span>
          <span className="pointer-coarse:hidden"> or paste one, or its address</span>
        </span>
      </label>
      <p id={hint} className="pointer-events-none mt-5 text-sm text-ink-faint">
        Supports PNG, JPG, WebP • Max {MAX_IMAGE_MB}MB
      </p>
      <p className="pointer-events-none mt-1 text-sm text-balance text-ink-faint">
        Pictures, PDFs, several at once. Out come text, Markdown or a spreadsheet, with Premium also Word and
        searchable PDF.
      </p>
      <div className="more-intake">
        <Button variant="secondary" data-opens-camera onClick={onCamera}>
          <Icon name="camera" />
          Take a photo
        </Button>
        <Button variant="secondary" data-reads-clipboard onClick={onPaste}>
          Paste a picture
        </Button>
      </div>
    </div>
  );
}

/** A link to choose another picture. */
export function ChangePicture({ onFiles, describedBy, children }: PickerProps & { children: ReactNode }) {
  const input = useId();
  return (
    <span className="inline-flex rounded-sm has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-ink">
      <FilePicker id={input} onFiles={onFiles} describedBy={describedBy} />
      <label
        htmlFor={input}
        className="inline-flex min-h-6 items-center text-sm text-ink-soft underline decoration-rule-strong underline-offset-4 hover:text-ink hover:decoration-ink"
      >
        {children}
      </label>
    </span>
  );
}

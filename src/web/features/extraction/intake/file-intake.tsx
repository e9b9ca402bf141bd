import { useEffect, useState } from 'react';
import '../tool/extraction-tool.css';

/** The types of files that a paste accepts. Programs offer further formats of a copied text. */
const PASTED_TYPES = /^(?:image\/|application\/pdf$)/;

/** Elements that accept a pasted text. A file input may have the focus, but accepts no text. */
const TEXT_FIELDS = 'textarea, [contenteditable], input:not([type=file], [type=checkbox], [type=radio])';

/** The pasted pictures and documents; null if the paste is for a text field or a dialog. */
function pastedPictures({ clipboardData, target }: ClipboardEvent): File[] | null {
  const pictures = [...(clipboardData?.files ?? [])].filter((file) => PASTED_TYPES.test(file.type));
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
  const hasText = clipboardData?.types.includes('text/plain') ?? false;
  if (isIn(TEXT_FIELDS) && (hasText || pictures.length === 0)) return null;
  return pictures.length === 0 && isIn('[role=dialog]') ? null : pictures;
}

/**
 * Accepts files that are dropped anywhere on the page; otherwise the browser would open a file that misses the drop zone.
 * Accepts pasted pictures if `onPasted` is given; another paste calls it without files and with the pasted text. Returns
 * whether a file is dragged over the page.
 */
export function useFileIntake(
  onFiles: (files: readonly File[]) => void,
  onPasted?: (files: readonly File[], text: string) => void,
): boolean {
  const [hovering, setHovering] = useState(false);

  useEffect(() => {
    // Entering a child fires before leaving its parent, so only the balance shows whether the pointer left the page.
    let depth = 0;
    const listening = new AbortController();
    const { signal } = listening;
    const onDrag = (
      type: 'dragenter' | 'dragleave' | 'dragover' | 'drop',
      handle: (data: DataTransfer) => void,
    ) =>
      window.addEventListener(
        type,
        (event) => {
          const data = event.dataTransfer;
          if (!data?.types.includes('Files')) return;
          if (type === 'dragover' || type === 'drop') event.preventDefault();
          handle(data);
        },
        { signal },
      );
    const enter = (more: number) => {
      depth = Math.max(0, depth + more);
      setHovering(depth > 0);
    };
    onDrag('dragenter', () => enter(1));
    onDrag('dragleave', () => enter(-1));
    onDrag('dragover', (data) => {
      data.dropEffect = 'copy';
    });
    onDrag('drop', ({ files }) => {
      enter(-depth);
      if (files.length > 0) onFiles([...files]);
    });
    window.addEventListener(
      'paste',
      (event) => {
        const pictures = onPasted ? pastedPictures(event) : null;
        if (!pictures) return;
        if (pictures.length > 0) event.preventDefault();
        onPasted?.(pictures, event.clipboardData?.getData('text/plain') ?? '');
      },
      { signal },
    );
    return () => listening.abort();
  }, [onFiles, onPasted]);

  return hovering;
}

/** Covers the window while a file is dragged over it, to show that the file can be dropped anywhere. */
export const DropVeil = () => (
  <div className="drop-veil" aria-hidden="true">
    <p className="text-center font-display text-3xl">Let go to read this picture</p>
  </div>
);

/* Passes files that were dropped on a page without the tool to the page with the tool. */

let passedFiles: readonly File[] = [];

export function passFiles(files: readonly File[]): void {
  passedFiles = files;
}

/** Returns the passed files and forgets them. */
export function takePassedFiles(): readonly File[] {
  const files = passedFiles;
  passedFiles = [];
  return files;
}

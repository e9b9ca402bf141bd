import { useEffect, useState } from 'react';
import '../tool/extraction-tool.css';

/** What programs put beside a text for others to choose from is no more than that. */
const PASTED = /^(?:image\/|application\/pdf$)/;

/** What takes a pasted text. A file field has the keyboard where pictures are chosen, and takes none. */
const FIELDS = 'textarea, [contenteditable], input:not([type=file], [type=checkbox], [type=radio])';

/** The pictures and documents among what was pasted; null when the paste belongs into a field or to a dialog. */
function pastedPictures({ clipboardData, target }: ClipboardEvent): File[] | null {
  const pictures = [...(clipboardData?.files ?? [])].filter((file) => PASTED.test(file.type));
  const isIn = (places: string) => target instanceof Element && target.closest(places) !== null;
  const hasText = clipboardData?.types.includes('text/plain') ?? false;
  if (isIn(FIELDS) && (hasText || pictures.length === 0)) return null;
  return pictures.length === 0 && isIn('[role=dialog]') ? null : pictures;
}

/**
 * Takes files that are dropped anywhere on the page, at least one at a time, and pictures that are pasted, where that is
 * wanted: none of them, and the pasted text, when it was something else. Without it a file that misses the zone by a hair
 * would replace the page. Returns whether one hovers above it.
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

/** Over the whole window while a file is dragged over it: it may be dropped anywhere. */
export const DropVeil = () => (
  <div className="drop-veil" aria-hidden="true">
    <p className="text-center font-display text-3xl">Let go to read this picture</p>
  </div>
);

/* Files that were dropped on a page without the tool, on their way to the page with it. */

let handed: readonly File[] = [];

export function handFiles(files: readonly File[]): void {
  handed = files;
}

/** The files that were handed over, once; none where there are none. */
export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}

import { useEffect, useState } from 'react';

const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false;

/** A picture among what was pasted; null when the paste is text that belongs into a field. */
function pastedPicture({ clipboardData, target }: ClipboardEvent): File | null {
  const picture = [...(clipboardData?.files ?? [])].find((file) => file.type.startsWith('image/'));
  const intoField =
    target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;
  const hasText = clipboardData?.types.includes('text/plain') ?? false;
  return picture && !(intoField && hasText) ? picture : null;
}

/**
 * Takes files that are dropped anywhere on the page, of several only the first, and pictures that are `pasted`, where
 * that is wanted. Without it a file that misses the zone by a hair would replace the page. Returns whether one hovers
 * above it.
 */
export function useFileIntake(onFile: (file: File) => void, onPasted?: (file: File) => void): boolean {
  const [hovering, setHovering] = useState(false);

  useEffect(() => {
    // Entering a child fires before leaving its parent, so only the balance tells whether the page was left.
    let depth = 0;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    window.addEventListener(
      'dragenter',
      (event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        depth += 1;
        setHovering(true);
      },
      options,
    );
    window.addEventListener(
      'dragleave',
      (event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        depth = Math.max(0, depth - 1);
        if (depth === 0) setHovering(false);
      },
      options,
    );
    window.addEventListener(
      'dragover',
      (event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      },
      options,
    );
    window.addEventListener(
      'drop',
      (event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        depth = 0;
        setHovering(false);
        const file = event.dataTransfer?.files[0];
        if (file) onFile(file);
      },
      options,
    );
    window.addEventListener(
      'paste',
      (event) => {
        const file = onPasted && pastedPicture(event);
        if (!file) return;
        event.preventDefault();
        onPasted(file);
      },
      options,
    );
    return () => listening.abort();
  }, [onFile, onPasted]);

  return hovering;
}

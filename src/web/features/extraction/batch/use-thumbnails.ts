import { useEffect, useRef, useState } from 'react';
import { thumbnailOf } from '../../../history/thumbnail.ts';
import { needsServerPreview } from '../tool/image-file.ts';
import type { BatchEntry } from './batch-state.ts';

export interface Thumbnail {
  of: File;
  blob: Blob;
  url: string;
}

/** Thumbnails of what this browser can draw, made one after another so that the page stays responsive. */
export function useThumbnails(entries: readonly BatchEntry[]) {
  const [made, setMade] = useState<ReadonlyMap<string, Thumbnail>>(new Map());
  const [undrawable] = useState(() => new WeakSet<File>());
  const latest = useRef(made);
  useEffect(() => {
    latest.current = made;
  });

  const next = entries.find(
    ({ id, file, state }) =>
      state.status !== 'idle' &&
      made.get(id)?.of !== file &&
      !needsServerPreview(file) &&
      !undrawable.has(file),
  );
  const { id, file } = next ?? {};
  useEffect(() => {
    if (!id || !file) return;
    let left = false;
    const whole = URL.createObjectURL(file);
    thumbnailOf(whole)
      .then(
        (blob) => {
          if (!left)
            setMade((before) => new Map(before).set(id, { of: file, blob, url: URL.createObjectURL(blob) }));
        },
        () => {
          undrawable.add(file);
          if (!left) setMade((before) => new Map(before));
        },
      )
      .finally(() => URL.revokeObjectURL(whole));
    return () => {
      left = true;
    };
  }, [id, file, undrawable]);

  useEffect(
    () => () => {
      for (const { url } of latest.current.values()) URL.revokeObjectURL(url);
    },
    [],
  );
  return made;
}

import { useEffect, useState } from 'react';
import { thumbnailOf } from '../../../history/thumbnail.ts';
import { needsServerPreview } from '../tool/image-file.ts';
import type { ListItem } from '../tool/items-state.ts';

const drawn = new WeakMap<File, Promise<Blob | null>>();

/** Drawn once; null for a file that this browser cannot draw. */
export function thumbnailOfFile(file: File): Promise<Blob | null> {
  const known = drawn.get(file) ?? draw(file);
  drawn.set(file, known);
  return known;
}

async function draw(file: File): Promise<Blob | null> {
  return needsServerPreview(file) ? null : thumbnailOf(file).catch(() => null);
}

/** Addresses of thumbnails, made one after another so that the page stays responsive. */
export function useThumbnails(items: readonly ListItem[]): ReadonlyMap<File, string | null> {
  const [made, setMade] = useState<ReadonlyMap<File, string | null>>(new Map());
  const [urls] = useState(() => new Set<string>());
  const next = items.find(({ file, state }) => state.status !== 'idle' && !made.has(file))?.file;
  useEffect(() => {
    if (!next) return;
    let left = false;
    thumbnailOfFile(next).then((thumbnail) => {
      if (left) return;
      const url = thumbnail && URL.createObjectURL(thumbnail);
      if (url) urls.add(url);
      setMade((before) => new Map(before).set(next, url));
    });
    return () => {
      left = true;
    };
  }, [next, urls]);
  useEffect(
    () => () => {
      for (const url of urls) URL.revokeObjectURL(url);
    },
    [urls],
  );
  return made;
}

import { useEffect, useState } from 'react';
import { thumbnailOf } from '../../../history/thumbnail.ts';
import { needsServerPreview } from '../tool/image-file.ts';
import type { ListItem } from '../tool/items-state.ts';

const thumbnails = new WeakMap<File, Promise<Blob | null>>();

/** The thumbnail of a file, created once; null if this browser cannot draw the file. */
export function thumbnailOfFile(file: File): Promise<Blob | null> {
  const thumbnail = thumbnails.get(file) ?? draw(file);
  thumbnails.set(file, thumbnail);
  return thumbnail;
}

async function draw(file: File): Promise<Blob | null> {
  return needsServerPreview(file) ? null : thumbnailOf(file).catch(() => null);
}

/** Object URLs of thumbnails, created one after another so that the page stays responsive. */
export function useThumbnails(items: readonly ListItem[]): ReadonlyMap<File, string | null> {
  const [made, setMade] = useState<ReadonlyMap<File, string | null>>(new Map());
  const [urls] = useState(() => new Set<string>());
  const next = items.find(({ file, state }) => state.status !== 'idle' && !made.has(file))?.file;
  useEffect(() => {
    if (!next) return;
    let isStale = false;
    thumbnailOfFile(next).then((thumbnail) => {
      if (isStale) return;
      const url = thumbnail && URL.createObjectURL(thumbnail);
      if (url) urls.add(url);
      setMade((before) => new Map(before).set(next, url));
    });
    return () => {
      isStale = true;
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

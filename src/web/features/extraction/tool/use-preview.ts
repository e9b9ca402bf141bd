import { useEffect, useState } from 'react';
import { recognition } from '../../../api/calls.ts';
import type { Preview } from '../../../workspace/reading.ts';
import { needsServerPreview } from './image-file.ts';

const LOADING: Preview = { status: 'loading' };

/** A preview of a chosen file, made here or, for what this browser cannot draw, by the server. */
export function usePreview(file: File | null) {
  const [made, setMade] = useState<{ file: File; preview: Preview } | null>(null);
  /** The file that the browser tried to draw and could not. */
  const [undrawable, setUndrawable] = useState<File | null>(null);
  const viaServer = file !== null && (undrawable === file || needsServerPreview(file));

  useEffect(() => {
    if (!file) return;
    const leaving = new AbortController();
    let url: string | null = null;
    const show = (picture: Blob) => {
      if (leaving.signal.aborted) return;
      url = URL.createObjectURL(picture);
      setMade({ file, preview: { status: 'ready', url, ownFile: picture === file } });
    };
    if (viaServer) {
      setMade(null);
      requestPreview(file, leaving.signal).then(show, () => {
        if (!leaving.signal.aborted) setMade({ file, preview: { status: 'none' } });
      });
    } else {
      show(file);
    }
    return () => {
      leaving.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, viaServer]);

  const onPreviewError = () => {
    if (!file) return;
    if (viaServer) setMade({ file, preview: { status: 'none' } });
    else setUndrawable(file);
  };
  return { preview: made?.file === file ? made.preview : LOADING, onPreviewError };
}

export async function requestPreview(file: File, signal: AbortSignal): Promise<Blob> {
  const response = await recognition.send('POST /api/preview', { form: { file }, signal });
  return response.blob();
}

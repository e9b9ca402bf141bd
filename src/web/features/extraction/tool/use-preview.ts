import { useEffect, useState } from 'react';
import { recognition } from '../../../api/client.ts';
import type { Preview } from '../../../workspace/reading.ts';
import { deviceChoice } from './device-choice.ts';
import { needsServerPreview } from './image-file.ts';

const LOADING: Preview = { status: 'loading' };
const NONE: Preview = { status: 'none' };

/** The preview of a chosen file. The server creates it if this browser cannot draw the file. */
export function usePreview(file: File | null) {
  const [made, setMade] = useState<{ file: File; viaServer: boolean; preview: Preview } | null>(null);
  /** A file that the browser could not draw. */
  const [undrawable, setUndrawable] = useState<File | null>(null);
  const viaServer = file !== null && (undrawable === file || needsServerPreview(file));

  useEffect(() => {
    if (!file) return;
    const controller = new AbortController();
    const { signal } = controller;
    let url: string | null = null;
    const show = (preview: Preview) => setMade({ file, viaServer, preview });
    (viaServer ? requestPreview(file, signal) : Promise.resolve(file)).then(
      (picture) => {
        if (signal.aborted) return;
        url = URL.createObjectURL(picture);
        show({ status: 'ready', url, ownFile: picture === file });
      },
      () => signal.aborted || show(NONE),
    );
    return () => {
      controller.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, viaServer]);

  const onPreviewError = () => {
    if (!file) return;
    if (viaServer) setMade({ file, viaServer, preview: NONE });
    else setUndrawable(file);
  };
  const isCurrent = made?.file === file && made?.viaServer === viaServer;
  return { preview: isCurrent && made ? made.preview : LOADING, onPreviewError };
}

export async function requestPreview(file: File, signal: AbortSignal): Promise<Blob> {
  if (deviceChoice.get()) throw new Error('the picture stays on this device');
  const response = await recognition.send('POST /api/preview', { form: { file }, signal });
  return response.blob();
}

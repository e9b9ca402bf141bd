import { useEffect, useRef, useState } from 'react';
import { useEventCallback } from '../../../ui/basics/events.ts';

/** Pixels: as many as a camera has; pages need them. */
const IDEAL = { width: 4096, height: 2160 };

export type CameraState = 'asking' | 'running' | 'refused' | 'missing';

/** The camera of the device, as long as it is wanted, in a video element. */
export function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>('asking');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    let left = false;
    let stream: MediaStream | null = null;
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: { ideal: 'environment' },
          width: { ideal: IDEAL.width },
          height: { ideal: IDEAL.height },
        },
      });
      if (left) return stop();
      if (video.current) video.current.srcObject = stream;
      setState('running');
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    open().catch((error: unknown) => {
      if (!left)
        setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'missing');
    });
    return () => {
      left = true;
      stop();
    };
  }, [attempt]);
  /** What the camera sees; null before its first picture. */
  const capture = useEventCallback(async (): Promise<ImageBitmap | null> => {
    const seen = video.current;
    return seen && seen.videoWidth > 0 ? createImageBitmap(seen) : null;
  });
  const again = useEventCallback(() => {
    setState('asking');
    setAttempt(attempt + 1);
  });
  return { video, state, capture, again };
}

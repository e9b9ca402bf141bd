import { useEffect, useRef, useState } from 'react';
import { useEventCallback } from '../../../ui/basics/events.ts';

/** Pixels. Pages need the full resolution of a camera. */
const IDEAL_SIZE = { width: 4096, height: 2160 };

export type CameraState = 'requesting' | 'running' | 'denied' | 'missing';

/** Shows the device's camera in a video element while mounted. */
export function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>('requesting');
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt requests the camera again
  useEffect(() => {
    let isUnmounted = false;
    let stream: MediaStream | null = null;
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: { ideal: 'environment' },
          width: { ideal: IDEAL_SIZE.width },
          height: { ideal: IDEAL_SIZE.height },
        },
      });
      if (isUnmounted) return stop();
      if (video.current) video.current.srcObject = stream;
      setState('running');
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    open().catch((error: unknown) => {
      if (!isUnmounted)
        setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'missing');
    });
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [attempt]);
  /** The current frame; null before the first one. */
  const capture = useEventCallback(async (): Promise<ImageBitmap | null> => {
    const { current } = video;
    return current && current.videoWidth > 0 ? createImageBitmap(current) : null;
  });
  const retry = useEventCallback(() => {
    setState('requesting');
    setAttempt(attempt + 1);
  });
  return { video, state, capture, retry };
}

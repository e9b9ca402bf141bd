import { useEffect, useRef, useState } from 'react';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { useEventCallback } from '../../../ui/basics/events.ts';
import { counted } from '../../../ui/basics/words.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { callWorker } from '../../../workers/call-worker.ts';
import { CornerFrame } from './corner-frame.tsx';
import type { Corners } from './perspective.ts';
import type { SheetAnswer, SheetTask } from './sheet-worker.ts';
import sheetWorker from './sheet-worker.ts?worker&url';
import { useCamera } from './use-camera.ts';

interface CameraDialogProps {
  /** Called with the straightened pages in their order. */
  onFiles: (files: readonly File[]) => void;
  onClose: () => void;
}

/** A photographed page with the corners of its sheet, before it is straightened. */
interface Shot {
  picture: Blob;
  url: string;
  width: number;
  height: number;
  corners: Corners;
  /** Whether the edges were found; otherwise the corners are those of the picture. */
  isFound: boolean;
}

const QUALITY = 0.95;

const pictureCorners = ({ width, height }: { width: number; height: number }): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

const callSheetWorker = (task: SheetTask) =>
  callWorker<SheetTask, SheetAnswer>(sheetWorker, task, { transfer: [task.picture] });

/** Takes a frame of the camera and finds the corners of the sheet. If that fails, the user moves the corners. */
async function takeShot(frame: ImageBitmap): Promise<Shot> {
  const { width, height } = frame;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(frame, 0, 0);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  if (!picture) throw new Error('no picture');
  const found = await callSheetWorker({ picture: frame, corners: null }).catch(() => null);
  const corners = found && 'corners' in found ? found.corners : null;
  const whole = pictureCorners({ width, height });
  return {
    picture,
    url: URL.createObjectURL(picture),
    width,
    height,
    corners: corners ?? whole,
    isFound: corners !== null,
  };
}

async function straightenSheet({ picture, corners }: Shot, number: number): Promise<File> {
  const answer = await callSheetWorker({ picture: await createImageBitmap(picture), corners });
  if (!('sheet' in answer)) throw new Error('no sheet');
  return new File([answer.sheet], `page-${number}.jpg`, { type: 'image/jpeg' });
}

/** Photographs pages one after another, and straightens each along the edges of its sheet. */
export function CameraDialog({ onFiles, onClose }: CameraDialogProps) {
  const { video, state, capture, retry } = useCamera();
  const [pages, setPages] = useState<readonly File[]>([]);
  const [shot, setShot] = useState<Shot | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const take = useRef<HTMLButtonElement>(null);
  const use = useRef<HTMLButtonElement>(null);
  const url = shot?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  // The clicked button has disappeared.
  const isAdjusting = shot !== null;
  useEffect(() => {
    (isAdjusting ? use : take).current?.focus();
  }, [isAdjusting]);

  const runBusy = async (work: () => Promise<void>, failure: string) => {
    setIsBusy(true);
    setProblem(null);
    await work().catch(() => setProblem(failure));
    setIsBusy(false);
  };
  const onTake = () =>
    runBusy(async () => {
      const frame = await capture();
      if (frame) setShot(await takeShot(frame));
    }, 'The picture could not be taken. Try again.');
  const onUse = (used: Shot) =>
    runBusy(async () => {
      const page = await straightenSheet(used, pages.length + 1);
      setPages([...pages, page]);
      setShot(null);
    }, 'The sheet could not be straightened. Move each corner of the frame to a corner of the sheet.');
  // Closing the dialog in any way keeps the taken pages.
  const leave = useEventCallback(() => {
    onClose();
    if (pages.length > 0) onFiles(pages);
  });
  return (
    <Dialog
      open
      onOpenChange={leave}
      title="Take pages"
      description="Pictures stay in your browser until you extract their text."
      className="md:max-w-3xl"
    >
      <div className="grid gap-4">
        {state === 'denied' || state === 'missing' ? (
          <NoCamera state={state} onRetry={retry} />
        ) : (
          <div className="relative mx-auto w-fit bg-sunk">
            <video
              ref={video}
              autoPlay
              playsInline
              muted
              aria-label="Camera view"
              hidden={isAdjusting}
              className="max-h-[55dvh] min-h-40 max-w-full"
            />
            {shot && (
              <>
                <img src={shot.url} alt="The page that was taken" className="max-h-[55dvh] max-w-full" />
                <CornerFrame
                  corners={shot.corners}
                  size={shot}
                  onChange={(corners) => setShot({ ...shot, corners })}
                />
              </>
            )}
          </div>
        )}
        <p role="status" className="text-sm text-ink-soft">
          {hintFor({ shot, pages: pages.length, isRequesting: state === 'requesting' })}
        </p>
        {problem && (
          <Alert tone="danger" title="That did not work">
            {problem}
          </Alert>
        )}
        <div className="flex flex-wrap gap-3">
          {shot ? (
            <>
              <Button ref={use} busy={isBusy} onClick={() => void onUse(shot)}>
                Use this page
              </Button>
              <Button variant="secondary" disabled={isBusy} onClick={() => setShot(null)}>
                Take it again
              </Button>
              <Button
                variant="ghost"
                disabled={isBusy}
                onClick={() => setShot({ ...shot, corners: pictureCorners(shot) })}
              >
                Whole picture
              </Button>
            </>
          ) : (
            <>
              <Button
                ref={take}
                data-first-focus
                busy={isBusy}
                disabled={state !== 'running'}
                onClick={() => void onTake()}
              >
                {pages.length === 0 ? 'Take this page' : 'Take the next page'}
              </Button>
              {pages.length > 0 && (
                <Button variant="secondary" disabled={isBusy} onClick={leave}>
                  Done: {counted(pages.length, 'page')}
                </Button>
              )}
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function NoCamera({ state, onRetry }: { state: 'denied' | 'missing'; onRetry: () => void }) {
  return (
    <Alert
      tone="warning"
      title={state === 'denied' ? 'The camera was not allowed' : 'No camera was found'}
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {state === 'denied'
        ? 'Allow this page to use it in the settings of your browser, or choose a picture that you took.'
        : 'Another program may be using it. You can also choose a picture that you took.'}
    </Alert>
  );
}

function hintFor({
  shot,
  pages,
  isRequesting,
}: {
  shot: Shot | null;
  pages: number;
  isRequesting: boolean;
}): string {
  if (shot?.isFound) return 'The edges of the sheet were found. Move a corner if it is wrong.';
  if (shot)
    return 'No edges were found. Move the corners to the corners of the sheet, or use the whole picture.';
  if (isRequesting) return 'Waiting for the camera...';
  return pages === 0
    ? 'Hold the camera so that the whole sheet is visible.'
    : `${counted(pages, 'page')} taken.`;
}

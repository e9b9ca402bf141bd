import { itemAt } from '#formats/checked';
import { answerCalls } from '../../../workers/call-worker.ts';
import {
  canvasOf,
  type DocumentReport,
  type DocumentTask,
  encoded,
  openPages,
  Unopened,
} from './document-worker.ts';
import { tiffDirectories } from './tiff-directories.ts';
import { type TiffPicture, tiffPicture } from './tiff-picture.ts';

answerCalls<DocumentTask, void, DocumentReport>(async (task, report) => {
  const directories = await tiffDirectories(task.file);
  if (directories.length === 0) throw new Unopened('damaged');
  const bytes = await task.file.arrayBuffer();
  await openPages(task, directories.length, report, async (number) => ({
    picture: await upright(tiffPicture(bytes, itemAt(directories, number - 1)), task.mostPixels),
    extraction: null,
  }));
});

/** As a person sees it, on paper, and with no more pixels than are read. */
function upright({ width, height, pixels, orientation, photographed }: TiffPicture, mostPixels: number) {
  const stored = canvasOf(width, height);
  stored.putImageData(new ImageData(pixels, width, height), 0, 0);
  const factor = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  const across = Math.max(1, Math.round(width * factor));
  const down = Math.max(1, Math.round(height * factor));
  const sideways = orientation >= 5 && orientation <= 8;
  const drawn = canvasOf(sideways ? down : across, sideways ? across : down);
  drawn.fillStyle = 'white';
  drawn.fillRect(0, 0, drawn.canvas.width, drawn.canvas.height);
  drawn.imageSmoothingQuality = 'high';
  drawn.setTransform(...turned(orientation, across, down));
  drawn.drawImage(stored.canvas, 0, 0, across, down);
  return encoded(drawn.canvas, photographed);
}

type Matrix = [number, number, number, number, number, number];

/** The matrix that sets a stored picture upright, by its orientation's number. */
function turned(orientation: number, width: number, height: number): Matrix {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0];
    case 3:
      return [-1, 0, 0, -1, width, height];
    case 4:
      return [1, 0, 0, -1, 0, height];
    case 5:
      return [0, 1, 1, 0, 0, 0];
    case 6:
      return [0, 1, -1, 0, height, 0];
    case 7:
      return [0, -1, -1, 0, height, width];
    case 8:
      return [0, -1, 1, 0, 0, width];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

import { itemAt } from '#formats/checked';
import { answerCalls } from '../../../workers/call-worker.ts';
import {
  canvasOf,
  DocumentOpenError,
  type DocumentReport,
  type DocumentTask,
  encoded,
  openPages,
} from './document-worker.ts';
import { tiffDirectories } from './tiff-directories.ts';
import { type TiffPicture, tiffPicture } from './tiff-picture.ts';

answerCalls<DocumentTask, void, DocumentReport>(async (task, report) => {
  const directories = await tiffDirectories(task.file);
  if (directories.length === 0) throw new DocumentOpenError('damaged');
  const bytes = await task.file.arrayBuffer();
  await openPages(task, directories.length, report, async (number) => ({
    picture: await upright(tiffPicture(bytes, itemAt(directories, number - 1)), task.maxPixels),
    extraction: null,
  }));
});

/** Draws a page upright on a white background, with at most `maxPixels`. */
function upright({ width, height, pixels, orientation, isPhoto }: TiffPicture, maxPixels: number) {
  const stored = canvasOf(width, height);
  stored.putImageData(new ImageData(pixels, width, height), 0, 0);
  const factor = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const across = Math.max(1, Math.round(width * factor));
  const down = Math.max(1, Math.round(height * factor));
  const sideways = orientation >= 5 && orientation <= 8;
  const drawn = canvasOf(sideways ? down : across, sideways ? across : down);
  drawn.fillStyle = 'white';
  drawn.fillRect(0, 0, drawn.canvas.width, drawn.canvas.height);
  drawn.imageSmoothingQuality = 'high';
  drawn.setTransform(...turned(orientation, across, down));
  drawn.drawImage(stored.canvas, 0, 0, across, down);
  return encoded(drawn.canvas, isPhoto);
}

type Matrix = [number, number, number, number, number, number];

/** The transformation matrix for an EXIF orientation. */
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

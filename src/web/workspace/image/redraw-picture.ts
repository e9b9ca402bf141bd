import type { Box } from '#contract/extraction';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { required } from '#formats/checked';
import { toUpright, uprightSize } from '#formats/upright';
import { turnedSize } from './picture-pose.ts';

interface Size {
  width: number;
  height: number;
}

export interface PictureEdit {
  /** The chosen file, unchanged. */
  original: File;
  /** Quarter turns clockwise, 0 to 3. */
  turns: number;
  /** The crop of the rotated picture, in its pixels; null for the whole picture. */
  crop: Box | null;
}

const MAX_PIXELS = 16_700_000;
/** JPEG qualities. The next one is used if the file exceeds the size limit. */
const QUALITIES = [0.95, 0.85, 0.7] as const;

/** Decodes a picture with its EXIF orientation applied. Rejects if the browser cannot decode it. */
async function decodeImage(file: File): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return image;
  } finally {
    // The element keeps the decoded picture.
    URL.revokeObjectURL(image.src);
  }
}

export async function sizeOf(file: File): Promise<Size> {
  const { naturalWidth: width, naturalHeight: height } = await decodeImage(file);
  return { width, height };
}

/** Adds a quarter turn to an edit, clockwise (1) or counterclockwise (-1). The crop is rotated too. */
export function rotateEdit({ original, turns, crop }: PictureEdit, size: Size, by: 1 | -1): PictureEdit {
  const before = uprightSize({ ...size, rotation: turns * 90 });
  return {
    original,
    turns: (turns + by + 4) % 4,
    crop: crop && toUpright(crop, { ...before, rotation: by * 90 }),
  };
}

/** Crops an edit to a part of its crop. */
export const cropEdit = (edit: PictureEdit, part: Box): PictureEdit => ({
  ...edit,
  crop: { ...part, x: part.x + (edit.crop?.x ?? 0), y: part.y + (edit.crop?.y ?? 0) },
});

interface RedrawOptions {
  /** An additional clockwise rotation in radians. The bounds grow to contain the rotated picture. */
  angle?: number;
  /** The size of these bounds that `crop` refers to, if it differs from the size in pixels. */
  within?: Size;
  /** A suffix of the file name. */
  suffix?: string;
}

/**
 * Draws the edited picture: rotated, cropped, without EXIF metadata, in its original resolution up to the limits of a canvas,
 * and small enough to upload. A JPEG stays a JPEG; other formats become PNG, or JPEG if the PNG is too large.
 * @throws {Error} if this browser cannot decode or draw it
 */
export async function redrawPicture(
  { original, turns, crop }: PictureEdit,
  { angle = 0, within, suffix = '' }: RedrawOptions = {},
): Promise<File> {
  if (turns === 0 && crop === null) return original;
  const image = await decodeImage(original);
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const turnedBounds = turnedSize({ width, height }, (turns * Math.PI) / 2 + angle);
  const [scaleX, scaleY] = within
    ? [turnedBounds.width / within.width, turnedBounds.height / within.height]
    : [1, 1];
  const part = crop
    ? { x: crop.x * scaleX, y: crop.y * scaleY, width: crop.width * scaleX, height: crop.height * scaleY }
    : { x: 0, y: 0, ...turnedBounds };
  const x = Math.round(part.x);
  const y = Math.round(part.y);
  const croppedSize = {
    width: Math.max(1, Math.round(part.x + part.width) - x),
    height: Math.max(1, Math.round(part.y + part.height) - y),
  };

  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (croppedSize.width * croppedSize.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(croppedSize.width * scale));
  canvas.height = Math.max(1, Math.round(croppedSize.height * scale));
  const draw = (hasWhiteBackground: boolean) => {
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser has no canvas');
    context.imageSmoothingQuality = 'high';
    context.resetTransform();
    if (hasWhiteBackground) {
      // JPEG has no transparency, and transparent pixels would be black.
      context.fillStyle = 'white';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.scale(canvas.width / croppedSize.width, canvas.height / croppedSize.height);
    context.translate(-x, -y);
    context.translate(turnedBounds.width / 2, turnedBounds.height / 2);
    context.rotate((turns * Math.PI) / 2 + angle);
    context.drawImage(image, -width / 2, -height / 2);
  };

  if (original.type !== 'image/jpeg') {
    draw(false);
    const drawn = await encodeCanvas(canvas, 'image/png');
    if (drawn.size <= MAX_IMAGE_BYTES) return toFile(drawn, original.name, suffix, 'png');
  }
  draw(true);
  for (const quality of QUALITIES) {
    const drawn = await encodeCanvas(canvas, 'image/jpeg', quality);
    if (drawn.size <= MAX_IMAGE_BYTES) return toFile(drawn, original.name, suffix, 'jpg');
  }
  throw new Error('The picture cannot be made small enough');
}

const encodeCanvas = (canvas: HTMLCanvasElement, type: string, quality?: number) =>
  new Promise<Blob>((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('Too large to be drawn'))),
      type,
      quality,
    );
  });

const EXTENSIONS: Record<string, RegExp> = { png: /^png$/i, jpg: /^jpe?g$/i };

/** A file with the original name and the extension of its new format. */
function toFile(blob: Blob, name: string, suffix: string, extension: 'png' | 'jpg'): File {
  const [, stem = name, oldExtension = ''] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
  const newExtension = required(EXTENSIONS[extension]).test(oldExtension) ? oldExtension : extension;
  return new File([blob], `${stem}${suffix}.${newExtension}`, { type: blob.type });
}

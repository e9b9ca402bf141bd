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
  /** As it was chosen. */
  original: File;
  /** Quarter turns clockwise, 0 to 3. */
  turns: number;
  /** The kept part of the turned picture, in its pixels; null for all of it. */
  crop: Box | null;
}

const MAX_PIXELS = 16_700_000;
/** The best first; the next one where a file would be too large to be sent. */
const QUALITIES = [0.95, 0.85, 0.7] as const;

/** A picture as this browser draws it, turned as its camera says. Rejects for what it cannot draw. */
async function decodeImage(file: File): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return image;
  } finally {
    // The decoded picture is kept.
    URL.revokeObjectURL(image.src);
  }
}

export async function sizeOf(file: File): Promise<Size> {
  const { naturalWidth: width, naturalHeight: height } = await decodeImage(file);
  return { width, height };
}

/** A picture with a quarter turn more, clockwise or against the clock; what is kept of it turns along. */
export function rotateEdit({ original, turns, crop }: PictureEdit, size: Size, by: 1 | -1): PictureEdit {
  const before = uprightSize({ ...size, rotation: turns * 90 });
  return {
    original,
    turns: (turns + by + 4) % 4,
    crop: crop && toUpright(crop, { ...before, rotation: by * 90 }),
  };
}

/** Less of a picture: a part of what is left of it. */
export const cropEdit = (edit: PictureEdit, part: Box): PictureEdit => ({
  ...edit,
  crop: { ...part, x: part.x + (edit.crop?.x ?? 0), y: part.y + (edit.crop?.y ?? 0) },
});

interface RedrawOptions {
  /** Radians clockwise by which the turned picture is turned further, within a level frame. */
  angle?: number;
  /** The size of that frame, if its parts are given in other pixels than its own. */
  within?: Size;
  /** The suffix of its name. */
  suffix?: string;
}

/**
 * A redrawn picture: turned, cropped, upright without camera metadata, in its own resolution as far as a canvas allows,
 * and small enough to upload. A JPEG stays one; everything else becomes a PNG, or a JPEG if that is too large.
 * @throws if this browser cannot draw it
 */
export async function redrawPicture(
  { original, turns, crop }: PictureEdit,
  { angle = 0, within, suffix = '' }: RedrawOptions = {},
): Promise<File> {
  if (turns === 0 && crop === null) return original;
  const image = await decodeImage(original);
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const turnedBounds = turnedSize({ width, height }, (turns * Math.PI) / 2 + angle);
  const [across, down] = within ? [turnedBounds.width / within.width, turnedBounds.height / within.height] : [1, 1];
  const part = crop
    ? { x: crop.x * across, y: crop.y * down, width: crop.width * across, height: crop.height * down }
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
      // Transparent pixels would be black.
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

/** Under the name it had, with the extension of what it is now. */
function toFile(blob: Blob, name: string, suffix: string, extension: 'png' | 'jpg'): File {
  const [, stem = name, oldExtension = ''] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
  const newExtension = required(EXTENSIONS[extension]).test(oldExtension) ? oldExtension : extension;
  return new File([blob], `${stem}${suffix}.${newExtension}`, { type: blob.type });
}

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
async function drawable(file: File): Promise<HTMLImageElement> {
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
  const { naturalWidth: width, naturalHeight: height } = await drawable(file);
  return { width, height };
}

/** A picture with a quarter turn more, clockwise or against the clock; what is kept of it turns along. */
export function turnedFurther({ original, turns, crop }: PictureEdit, size: Size, by: 1 | -1): PictureEdit {
  const before = uprightSize({ ...size, rotation: turns * 90 });
  return {
    original,
    turns: (turns + by + 4) % 4,
    crop: crop && toUpright(crop, { ...before, rotation: by * 90 }),
  };
}

/** Less of a picture: a part of what is left of it. */
export const croppedFurther = (edit: PictureEdit, part: Box): PictureEdit => ({
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
export async function redrawn(
  { original, turns, crop }: PictureEdit,
  { angle = 0, within, suffix = '' }: RedrawOptions = {},
): Promise<File> {
  if (turns === 0 && crop === null) return original;
  const image = await drawable(original);
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const whole = turnedSize({ width, height }, (turns * Math.PI) / 2 + angle);
  const [across, down] = within ? [whole.width / within.width, whole.height / within.height] : [1, 1];
  const part = crop
    ? { x: crop.x * across, y: crop.y * down, width: crop.width * across, height: crop.height * down }
    : { x: 0, y: 0, ...whole };
  const x = Math.round(part.x);
  const y = Math.round(part.y);
  const kept = {
    width: Math.max(1, Math.round(part.x + part.width) - x),
    height: Math.max(1, Math.round(part.y + part.height) - y),
  };

  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (kept.width * kept.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(kept.width * scale));
  canvas.height = Math.max(1, Math.round(kept.height * scale));
  const draw = (paper: boolean) => {
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('This browser has no canvas');
    pen.imageSmoothingQuality = 'high';
    pen.resetTransform();
    if (paper) {
      // Transparent pixels would be black.
      pen.fillStyle = 'white';
      pen.fillRect(0, 0, canvas.width, canvas.height);
    }
    pen.scale(canvas.width / kept.width, canvas.height / kept.height);
    pen.translate(-x, -y);
    pen.translate(whole.width / 2, whole.height / 2);
    pen.rotate((turns * Math.PI) / 2 + angle);
    pen.drawImage(image, -width / 2, -height / 2);
  };

  if (original.type !== 'image/jpeg') {
    draw(false);
    const drawn = await encoded(canvas, 'image/png');
    if (drawn.size <= MAX_IMAGE_BYTES) return named(drawn, original.name, suffix, 'png');
  }
  draw(true);
  for (const quality of QUALITIES) {
    const drawn = await encoded(canvas, 'image/jpeg', quality);
    if (drawn.size <= MAX_IMAGE_BYTES) return named(drawn, original.name, suffix, 'jpg');
  }
  throw new Error('The picture cannot be made small enough');
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality?: number) =>
  new Promise<Blob>((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('Too large to be drawn'))),
      type,
      quality,
    );
  });

const EXTENSIONS: Record<string, RegExp> = { png: /^png$/i, jpg: /^jpe?g$/i };

/** Under the name it had, with the extension of what it is now. */
function named(blob: Blob, name: string, suffix: string, extension: 'png' | 'jpg'): File {
  const [, stem = name, had = ''] = /^(.+)\.([^.]+)$/.exec(name) ?? [];
  const right = required(EXTENSIONS[extension]).test(had) ? had : extension;
  return new File([blob], `${stem}${suffix}.${right}`, { type: blob.type });
}

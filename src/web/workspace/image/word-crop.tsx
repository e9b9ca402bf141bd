import type { ReactNode } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { Piece } from '#formats/pieces';
import type { Slanted } from '#formats/slanted';
import { quarterTurns } from '#formats/upright';
import { wordBox } from './word-box.ts';

/** Height of the line of text and maximal width of the word in a crop, in CSS pixels. */
const LINE_PX = 38;
const MAX_WORD_PX = 280;
/** Height of a crop in CSS pixels. */
const CROP_PX = 76;
/** A larger scale shows no more detail. */
const MAX_SCALE = 8;

interface CropProps {
  url: string;
  image: Extraction['image'];
}

/** An enlarged, deskewed part of the picture around a word. */
export function WordCrop({
  pieces,
  index,
  ...crop
}: CropProps & { pieces: readonly Piece[]; index: number }) {
  const place = wordBox(pieces, index, crop.image);
  if (!place) return null;
  const scale = Math.min(LINE_PX / place.height, MAX_WORD_PX / place.width, MAX_SCALE);
  return (
    <Crop {...crop} place={place} scale={scale}>
      <span
        className="word-crop-line absolute top-1/2 left-1/2"
        style={{ width: place.width * scale, marginTop: (place.height * scale) / 2 }}
      />
    </Crop>
  );
}

/** An enlarged region of the upright picture. */
export function PictureCrop({ place: box, ...crop }: CropProps & { place: Box }) {
  const { x, y, width, height } = box;
  const place = { x: x + width / 2, y: y + height / 2, angle: 0 };
  const scale = Math.min(CROP_PX / height, MAX_WORD_PX / width, MAX_SCALE);
  return <Crop {...crop} place={place} scale={scale} />;
}

interface CropFrameProps extends CropProps {
  /** The point in the center of the crop, and its rotation. */
  place: Pick<Slanted, 'x' | 'y' | 'angle'>;
  scale: number;
  children?: ReactNode;
}

function Crop({ url, image, place, scale, children }: CropFrameProps) {
  return (
    <div aria-hidden="true" className="word-crop relative h-19 overflow-hidden rounded-control bg-sunk">
      <div
        className="absolute top-1/2 left-1/2 origin-top-left"
        style={{
          transform: `rotate(${-place.angle}rad) translate(${-place.x * scale}px, ${-place.y * scale}px)`,
        }}
      >
        <img
          src={url}
          alt=""
          draggable={false}
          className="block max-w-none origin-top-left"
          style={{
            width: image.width * scale,
            height: image.height * scale,
            transform: uprightTransform(image, scale),
          }}
        />
      </div>
      {children}
    </div>
  );
}

/** Rotates the picture upright, relative to the top left corner of the upright picture. */
function uprightTransform(image: Extraction['image'], scale: number): string | undefined {
  const { width, height } = image;
  const [w, h] = [width * scale, height * scale];
  return [
    undefined,
    `translate(${h}px, 0) rotate(90deg)`,
    `translate(${w}px, ${h}px) rotate(180deg)`,
    `translate(0, ${w}px) rotate(270deg)`,
  ][quarterTurns(image)];
}

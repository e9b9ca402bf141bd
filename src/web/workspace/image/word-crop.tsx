import type { ReactNode } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { Piece } from '#formats/pieces';
import type { Slanted } from '#formats/slanted';
import { quarterTurns } from '#formats/upright';
import { wordBox } from './word-box.ts';

/** CSS pixels: how high a line of text is drawn, and how wide a word at most, so that a phone has room beside it. */
const LINE_PX = 38;
const MAX_WORD_PX = 280;
/** The height of a crop. */
const CROP_PX = 76;
/** Beyond this there are only larger pixels to see. */
const MAX_SCALE = 8;

interface CropProps {
  url: string;
  image: Extraction['image'];
}

/** A word in the picture with its surroundings, enlarged and level. */
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

/** A part of the upright picture, as large as there is room for. */
export function PictureCrop({ place: box, ...crop }: CropProps & { place: Box }) {
  const { x, y, width, height } = box;
  const place = { x: x + width / 2, y: y + height / 2, angle: 0 };
  const scale = Math.min(CROP_PX / height, MAX_WORD_PX / width, MAX_SCALE);
  return <Crop {...crop} place={place} scale={scale} />;
}

interface CropFrameProps extends CropProps {
  /** What is in the middle. */
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

/** Turns the picture as it was turned to read it, from the top left corner of the upright one. */
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

import { useQuery } from '@tanstack/react-query';
import type { Box, Extraction } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { toUpright } from '#formats/upright';
import { languagesQuery } from '../../api/languages-query.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { PictureCrop } from '../image/word-crop.tsx';

/** The places of a picture that were not read, and which of them is looked at. */
export interface UnreadPlaces {
  places: NonNullable<Extraction['unread']>;
  at: number | null;
  onLook: (at: number | null) => void;
  /** Reads a part of the upright picture as a picture of its own; null where it cannot be cut out here. */
  onReadPart: ((part: Box) => unknown) | null;
}

interface UnreadStripProps extends UnreadPlaces {
  /** Where the picture is shown from; null when it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
}

/** A place of the picture that was not read: what is seen there, why, and the press that reads it again. */
export function UnreadStrip({ places, at, onLook, url, image, onReadPart }: UnreadStripProps) {
  const place = at === null ? undefined : places[at];
  if (at === null || !place) return null;
  const part = withMargin(toUpright(place.box, image), image);
  const step = (by: number) => onLook((at + by + places.length) % places.length);
  return (
    <section
      aria-label="Place that was not read"
      data-asks
      className="grid gap-1.5 border-b border-rule bg-paper px-4 py-2"
    >
      {url && <PictureCrop url={url} image={image} place={part} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <p className="min-w-0 flex-1">
          {places.length > 1 && (
            <span className="mr-2 tabular-nums">
              {at + 1} of {places.length}
            </span>
          )}
          {place.why === 'no_reading' ? 'Nothing could be read here.' : <OtherScript script={place.script} />}
          {onReadPart && (
            <span className="ml-1 text-ink-soft" id="reading-again-costs">
              Reading it again counts as 1 extraction.
            </span>
          )}
        </p>
        <div className="-mr-2 flex items-center">
          {onReadPart && (
            <Button
              variant="secondary"
              size="small"
              aria-describedby="reading-again-costs"
              onClick={() => void onReadPart(part)}
            >
              <Icon name="eye" />
              Read this place
            </Button>
          )}
          {places.length > 1 && (
            <>
              <Button variant="ghost" size="icon" aria-label="Previous place" onClick={() => step(-1)}>
                <Icon name="chevron" className="rotate-180" />
              </Button>
              <Button variant="ghost" size="icon" aria-label="Next place" onClick={() => step(1)}>
                <Icon name="chevron" />
              </Button>
            </>
          )}
          <Button variant="ghost" size="icon" aria-label="Close" onClick={() => onLook(null)}>
            <Icon name="close" />
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Text in letters of another script, and how it comes to be read. */
function OtherScript({ script }: { script: string | undefined }) {
  const { data: languages } = useQuery(languagesQuery);
  const mayChoose = languages?.some(({ code, allowed }) => allowed && code !== BUILT_IN_LANGUAGE);
  return (
    <>
      {script ? `${script} text` : 'Text in another script'} was not read.{' '}
      {languages &&
        (mayChoose ? 'Choose its language above, then read this place.' : 'Premium reads other scripts.')}
    </>
  );
}

/** Letters at the edge of a picture are read badly. */
const MARGIN = 0.25;

function withMargin(box: Box, image: Extraction['image']): Box {
  const { width, height } = toUpright({ x: 0, y: 0, ...image }, image);
  const air = MARGIN * Math.min(box.width, box.height);
  const [x, y] = [Math.max(0, box.x - air), Math.max(0, box.y - air)];
  return {
    x,
    y,
    width: Math.min(width, box.x + box.width + air) - x,
    height: Math.min(height, box.y + box.height + air) - y,
  };
}

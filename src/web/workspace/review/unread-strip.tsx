import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import { toUpright } from '#formats/upright';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { PictureCrop } from '../image/word-crop.tsx';
import { groupLanguages, type LanguageGroup, languagesOfScript, languagesQuery } from '../language-groups.ts';

/** The places of a picture that were not read, and which of them is looked at. */
export interface UnreadPlaces {
  places: NonNullable<Extraction['unread']>;
  at: number | null;
  onLook: (at: number | null) => void;
  /**
   * Reads a part of the upright picture as a picture of its own, in these languages where they are not those of the page;
   * null where it cannot be cut out here.
   */
  onReadPart: ((part: Box, languages?: readonly string[]) => unknown) | null;
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
      data-review
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
          {place.why === 'no_reading'
            ? 'Nothing could be read here.'
            : `${place.script ?? 'Text in another script'}${place.script ? ' text' : ''} was not read.`}
        </p>
        <div className="-mr-2 flex items-center">
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
      {onReadPart && (
        <ReadAgain key={at} place={place} onRead={(languages) => void onReadPart(part, languages)} />
      )}
    </section>
  );
}

interface ReadAgainProps {
  place: UnreadPlaces['places'][number];
  /** In these languages; undefined: in those of the page. */
  onRead: (languages: readonly string[] | undefined) => void;
}

/** The press that reads a place once more, and the language for it where there is a choice. */
function ReadAgain({ place, onRead }: ReadAgainProps) {
  const id = useId();
  const languages = useQuery(languagesQuery).data?.filter(({ allowed }) => allowed);
  const [chosen, setChosen] = useState<string | null>(null);
  if (!languages) return null;
  const browser = navigator.languages;
  const likely = place.script ? languagesOfScript(languages, place.script, browser) : [];
  const mayChoose = languages.length > 1;
  // In the languages of the page nothing else would come of it.
  if (place.why === 'other_script' && !mayChoose)
    return <p className="pb-1 text-sm text-ink-soft">Premium reads other scripts.</p>;
  const code = chosen ?? likely[0]?.code ?? AS_PAGE;
  const isFetched = languages.some((language) => language.code === code && !language.installed);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-1 text-sm">
      {mayChoose && (
        <span className="flex min-w-0 items-center gap-2">
          <label htmlFor={`${id}-language`}>Language</label>
          <select
            id={`${id}-language`}
            value={code}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            className="min-h-11 max-w-full min-w-0 rounded-control border border-rule-strong bg-paper px-2 hover:border-ink"
          >
            <option value={AS_PAGE}>As the page</option>
            {likely.length > 0 && <Options title={`${place.script} text`} languages={likely} />}
            {groupLanguages(languages, [], browser).map((group) => (
              <Options
                key={group.title}
                title={group.title}
                languages={group.languages.filter((language) => !likely.includes(language))}
              />
            ))}
          </select>
        </span>
      )}
      <Button
        variant="secondary"
        size="small"
        aria-describedby={`${id}-costs`}
        onClick={() => onRead(code === AS_PAGE ? undefined : [code])}
      >
        <Icon name="eye" />
        Read this place
      </Button>
      <span className="text-ink-soft" id={`${id}-costs`}>
        Counts as 1 extraction.{isFetched && ' The language is fetched once, which takes a moment.'}
      </span>
    </div>
  );
}

const AS_PAGE = '';

const Options = ({ title, languages }: LanguageGroup) =>
  languages.length > 0 && (
    <optgroup label={title}>
      {languages.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </optgroup>
  );

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

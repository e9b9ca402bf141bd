import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import { toUpright } from '#formats/upright';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { PictureCrop } from '../image/word-crop.tsx';
import { groupLanguages, type LanguageGroup, languagesOfScript, languagesQuery } from '../language-groups.ts';

/** The unread regions of a picture. `at`: the index of the chosen one. */
export interface UnreadRegions {
  regions: NonNullable<Extraction['unread']>;
  at: number | null;
  onChoose: (at: number | null) => void;
  /**
   * Reads a part of the upright picture as a separate picture, by default in the languages of the page. Null if the picture
   * cannot be cropped.
   */
  onReadPart: ((part: Box, languages?: readonly string[]) => unknown) | null;
}

interface UnreadPanelProps extends UnreadRegions {
  /** The URL of the picture; null if it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
}

/** An unread region: its picture, the reason, and a button that reads it. */
export function UnreadPanel({ regions, at, onChoose, url, image, onReadPart }: UnreadPanelProps) {
  const region = at === null ? undefined : regions[at];
  if (at === null || !region) return null;
  const box = withMargin(toUpright(region.box, image), image);
  const step = (by: number) => onChoose((at + by + regions.length) % regions.length);
  return (
    <section
      aria-label="Place that was not read"
      data-review
      className="grid gap-1.5 border-b border-rule bg-paper px-4 py-2"
    >
      {url && <PictureCrop url={url} image={image} place={box} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <p className="min-w-0 flex-1">
          {regions.length > 1 && (
            <span className="mr-2 tabular-nums">
              {at + 1} of {regions.length}
            </span>
          )}
          {region.why === 'no_reading'
            ? 'Nothing could be read here.'
            : `${region.script ?? 'Text in another script'}${region.script ? ' text' : ''} was not read.`}
        </p>
        <div className="-mr-2 flex items-center">
          {regions.length > 1 && (
            <>
              <Button variant="ghost" size="icon" aria-label="Previous place" onClick={() => step(-1)}>
                <Icon name="chevron" className="rotate-180" />
              </Button>
              <Button variant="ghost" size="icon" aria-label="Next place" onClick={() => step(1)}>
                <Icon name="chevron" />
              </Button>
            </>
          )}
          <Button variant="ghost" size="icon" aria-label="Close" onClick={() => onChoose(null)}>
            <Icon name="close" />
          </Button>
        </div>
      </div>
      {onReadPart && (
        <ReadAgain key={at} region={region} onRead={(languages) => void onReadPart(box, languages)} />
      )}
    </section>
  );
}

interface ReadAgainProps {
  region: UnreadRegions['regions'][number];
  /** `languages`: undefined for those of the page. */
  onRead: (languages: readonly string[] | undefined) => void;
}

/** The button that reads a region again, and the choice of its language. */
function ReadAgain({ region, onRead }: ReadAgainProps) {
  const id = useId();
  const languages = useQuery(languagesQuery).data?.filter(({ allowed }) => allowed);
  const [chosen, setChosen] = useState<string | null>(null);
  if (!languages) return null;
  const browser = navigator.languages;
  const likely = region.script ? languagesOfScript(languages, region.script, browser) : [];
  const canChoose = languages.length > 1;
  // Reading it again in the languages of the page would have the same result.
  if (region.why === 'other_script' && !canChoose)
    return <p className="pb-1 text-sm text-ink-soft">Premium reads other scripts.</p>;
  const code = chosen ?? likely[0]?.code ?? AS_PAGE;
  const needsDownload = languages.some((language) => language.code === code && !language.installed);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-1 text-sm">
      {canChoose && (
        <span className="flex min-w-0 items-center gap-2">
          <label htmlFor={`${id}-language`}>Language</label>
          <select
            id={`${id}-language`}
            value={code}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            className="min-h-11 max-w-full min-w-0 rounded-control border border-rule-strong bg-paper px-2 hover:border-ink"
          >
            <option value={AS_PAGE}>As the page</option>
            {likely.length > 0 && <Options title={`${region.script} text`} languages={likely} />}
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
        Counts as 1 extraction.{needsDownload && ' The language is fetched once, which takes a moment.'}
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

/** Margin around a region as a fraction of its shorter side, because letters at the edge of a picture are often misread. */
const MARGIN = 0.25;

function withMargin(box: Box, image: Extraction['image']): Box {
  const { width, height } = toUpright({ x: 0, y: 0, ...image }, image);
  const margin = MARGIN * Math.min(box.width, box.height);
  const [x, y] = [Math.max(0, box.x - margin), Math.max(0, box.y - margin)];
  return {
    x,
    y,
    width: Math.min(width, box.x + box.width + margin) - x,
    height: Math.min(height, box.y + box.height + margin) - y,
  };
}

import { clsx } from 'clsx';
import { memo, type ReactNode, useId, useState } from 'react';
import { Button, ButtonLink } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import { copyText, saveFile } from '../export/copy-and-save.ts';
import { PictureIcon, type PictureIconName } from '../image/picture-tools.tsx';
import { calendarFile } from './find-dates.ts';
import type { Finding, Findings } from './use-findings.ts';

interface FoundOnPictureProps extends Findings {
  /** The finding whose details are shown. */
  chosen: Finding | null;
  onChoose: (found: Finding | null) => void;
  onShow: (found: Finding) => void;
}

/** Number of findings before "All". */
const SHOWN_FIRST = 8;

const ICONS: Record<Finding['target']['kind'], PictureIconName> = {
  link: 'link',
  mail: 'mail',
  phone: 'phone',
  date: 'calendar',
  text: 'text',
};

const NAMES: Record<Finding['target']['kind'], string> = {
  link: 'Link',
  mail: 'Mail address',
  phone: 'Telephone number',
  date: 'Date',
  text: 'Text',
};

const nameOf = ({ code, target }: Finding) => code ?? NAMES[target.kind];

/** A row of the findings. The pressed one is shown in full, with its actions below. */
export const FoundOnPicture = memo(function FoundOnPicture(props: FoundOnPictureProps) {
  const { found, barcodes, lookForBarcodes, chosen, onChoose, onShow } = props;
  const panel = useId();
  const heading = useId();
  const [all, setAll] = useState(false);
  if (found.length === 0 && !lookForBarcodes) return null;
  const listed = all ? found : found.filter((item, index) => index < SHOWN_FIRST || item.key === chosen?.key);
  return (
    <section aria-labelledby={heading} className="border-t border-rule bg-paper px-4 py-2 md:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 id={heading} className="font-sans text-sm font-normal tracking-normal text-ink-soft">
          Found on the picture
        </h3>
        <ul className="flex min-w-0 flex-wrap gap-1 empty:hidden">
          {listed.map((item) => {
            const isChosen = item.key === chosen?.key;
            return (
              <li key={item.key} className="min-w-0">
                <button
                  type="button"
                  aria-expanded={isChosen}
                  aria-controls={isChosen ? panel : undefined}
                  onClick={() => onChoose(isChosen ? null : item)}
                  className={clsx(
                    'flex min-h-9 max-w-full items-center gap-1.5 rounded-control border px-2.5 text-sm pointer-coarse:min-h-11',
                    isChosen ? 'border-ink bg-sheet' : 'border-rule-strong hover:border-ink hover:bg-sheet',
                  )}
                >
                  <PictureIcon name={item.code ? 'code' : ICONS[item.target.kind]} className="size-4" />
                  <span className="sr-only">{nameOf(item)}: </span>
                  <bdi
                    className={clsx(
                      'max-w-56 truncate',
                      item.lowestConfidence !== null && 'doubted-slightly',
                    )}
                  >
                    {labelOf(item)}
                  </bdi>
                  {item.lowestConfidence !== null && <span className="sr-only">, in doubt</span>}
                </button>
              </li>
            );
          })}
          {listed.length < found.length && (
            <li>
              <Button
                variant="ghost"
                size="small"
                className="min-h-9 pointer-coarse:min-h-11"
                onClick={() => setAll(true)}
              >
                All {found.length}
              </Button>
            </li>
          )}
        </ul>
        {lookForBarcodes && barcodes !== 'done' && (
          <Button
            variant="ghost"
            size="small"
            className="min-h-9 pointer-coarse:min-h-11"
            busy={barcodes === 'searching'}
            onClick={lookForBarcodes}
          >
            <PictureIcon name="code" className="size-4" />
            {barcodes === 'searching' ? 'Looking...' : 'Look for bar codes'}
          </Button>
        )}
        <p role="status" className="text-sm text-ink-soft empty:hidden">
          {barcodes === 'failed' && 'The picture could not be searched. Check your connection and try again.'}
          {barcodes === 'done' && barcodeStatus(found.filter(({ code }) => code !== null).length)}
        </p>
      </div>
      {chosen && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          key={chosen.key}
          id={panel}
          role="group"
          aria-label={`${nameOf(chosen)}: ${labelOf(chosen)}`}
          className="motion-fade mt-2 mb-1 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-t border-rule pt-3"
        >
          <Details found={chosen} />
          <Actions found={chosen} onShow={() => onShow(chosen)} />
        </div>
      )}
    </section>
  );
});

const barcodeStatus = (codes: number) =>
  codes === 0 ? 'No bar code was found.' : `${counted(codes, 'code')} found.`;

function labelOf({ target, words }: Finding): string {
  switch (target.kind) {
    case 'link':
      return target.url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
    case 'mail':
      return target.address;
    case 'phone':
      return target.shown;
    default:
      return words.replace(/\s+/g, ' ');
  }
}

/** The full text of a finding, the host of a link, and warnings. */
function Details({ found }: { found: Finding }) {
  const { target, words, code, lowestConfidence } = found;
  return (
    <div className="min-w-0 max-w-prose text-sm">
      <p className="text-ink-soft">
        {code ? `The ${code} says` : nameOf(found)}
        {lowestConfidence !== null && ', as it was read'}
      </p>
      <p className="mt-0.5 max-h-32 overflow-y-auto font-mono text-base break-words whitespace-pre-wrap">
        <bdi>{words}</bdi>
      </p>
      {target.kind === 'link' && (
        <p className="mt-1">
          Leads to <strong className="font-semibold break-all">{target.host}</strong>
          {target.url.startsWith('http:') && (
            <span className="text-ink-soft">, over a connection that is not encrypted</span>
          )}
        </p>
      )}
      {target.kind === 'link' && target.readableHost !== null && (
        <Warning>
          Its name is written <bdi>{target.readableHost}</bdi>, with letters that may only look like the ones
          you know.
        </Warning>
      )}
      {lowestConfidence !== null && (
        <Warning>Only {lowestConfidence}% sure. Compare it with the picture first.</Warning>
      )}
    </div>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="mt-1 flex gap-1.5">
    <Icon name="warning" />
    <span>{children}</span>
  </p>
);

function Actions({ found, onShow }: { found: Finding; onShow: () => void }) {
  const { target, words } = found;
  const style = { size: 'small' } as const;
  const link = (to: string, label: string, icon: PictureIconName, elsewhere = false) => (
    <ButtonLink
      {...style}
      variant="secondary"
      to={to}
      {...(elsewhere && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      <PictureIcon name={icon} className="size-4" />
      <span className="max-w-60 truncate">{label}</span>
      {elsewhere && <span className="sr-only">(opens in a new tab)</span>}
    </ButtonLink>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {target.kind === 'link' && link(target.url, `Open ${target.host}`, 'link', true)}
      {target.kind === 'mail' && link(`mailto:${target.address}`, 'Write a mail', 'mail')}
      {target.kind === 'phone' && link(`tel:${target.number}`, `Call ${target.shown}`, 'phone')}
      {target.kind === 'date' && (
        <Button
          {...style}
          variant="secondary"
          onClick={() =>
            saveFile({
              content: calendarFile(target.date, found.line, new Date(), crypto.randomUUID()),
              mediaType: 'text/calendar;charset=utf-8',
              extension: 'ics',
            })
          }
        >
          <PictureIcon name="calendar" className="size-4" />
          Add to calendar (.ics)
        </Button>
      )}
      <Button
        {...style}
        variant="ghost"
        onClick={() => void copyText(target.kind === 'mail' ? target.address : words)}
      >
        <Icon name="copy" className="size-4" />
        Copy
      </Button>
      <Button {...style} variant="ghost" onClick={onShow}>
        <Icon name="eye" className="size-4" />
        Show on the picture
      </Button>
    </div>
  );
}

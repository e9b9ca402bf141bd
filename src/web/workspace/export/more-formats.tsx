import { type CSSProperties, type RefObject, useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { FORMATS } from '#contract/formats';
import { useSite } from '../../site/site.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge } from '../../ui/basics/display.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { type MenuFocus, useMenu } from '../../ui/use-menu.ts';
import type { ExportProblem, Exports } from './use-exports.ts';

const ITEM =
  'flex min-h-14 w-full items-center justify-between gap-3 px-4 py-1.5 text-left hover:bg-sunk focus-visible:bg-sunk focus-visible:-outline-offset-2';

/** One more way to take a text away, below the formats. */
interface LastWay {
  name: string;
  goodFor: string;
  act: () => void;
}

const PRINT: LastWay = {
  name: 'Print',
  goodFor: 'The text and the picture on paper',
  act: () => window.print(),
};

/** Beside Copy and Download: a menu of the other formats, with what each is good for. */
export function MoreFormats({
  offered,
  isPremium,
  working,
  prepare,
  choose,
  last = PRINT,
}: Exports & { last?: LastWay }) {
  const { open, openMenu, close, menuId, button, menu, onMenuKeyDown } = useMenu();
  const { place, put } = usePlaceBelow(button, open);
  const show = async (end: MenuFocus) => {
    if (!(await prepare())) return;
    // Its first item gets the focus as soon as it is there, and the page would scroll to wherever that is.
    put();
    openMenu(end);
  };
  const pick = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <>
      <Button
        ref={button}
        variant="secondary"
        className="max-md:size-11 max-md:p-0"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        aria-busy={working || undefined}
        onClick={() => (open ? close() : void show('first'))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          void show(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        <span className="max-md:sr-only">More formats</span>
        {working ? <span aria-hidden="true" className="caret" /> : <Icon name="chevron" className="size-4" />}
      </Button>
      {open &&
        place &&
        createPortal(
          // Not inside the sheet, which cuts off what reaches out of it.
          <div
            ref={menu}
            id={menuId}
            role="menu"
            tabIndex={-1}
            aria-label="More formats"
            onKeyDown={onMenuKeyDown}
            style={place.style}
            className="motion-fade absolute z-45 rounded-sheet border border-rule-strong bg-sheet py-1 shadow-lifted"
          >
            {offered.map((id) => (
              <button
                key={id}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={ITEM}
                onClick={pick(() => void choose(id))}
              >
                <span className="min-w-0">
                  <span className="block font-medium">{FORMATS[id].name}</span>
                  <span className="block text-sm text-ink-soft">{FORMATS[id].goodFor}</span>
                </span>
                {FORMATS[id].premium && !isPremium && <Badge>Premium</Badge>}
              </button>
            ))}
            <hr className="my-1 border-rule" />
            <button type="button" role="menuitem" tabIndex={-1} className={ITEM} onClick={pick(last.act)}>
              <span>
                <span className="block font-medium">{last.name}</span>
                <span className="block text-sm text-ink-soft">{last.goodFor}</span>
              </span>
            </button>
          </div>,
          place.page,
        )}
    </>
  );
}

/** CSS pixels: the widest it is, and what it keeps from the window's edges. */
const WIDTH = 360;
const MARGIN = 16;
const BELOW = 4;

interface Place {
  /** What the menu is drawn into. */
  page: Element;
  style: CSSProperties;
}

/** Where a menu stands on the page, below its button and within the window; `put` before it opens. */
function usePlaceBelow(button: RefObject<HTMLElement | null>, open: boolean) {
  const [place, setPlace] = useState<Place | null>(null);
  const put = useCallback(() => {
    const box = button.current?.getBoundingClientRect();
    const page = button.current?.closest('main');
    if (!box || !page) return;
    const room = document.documentElement.clientWidth - 2 * MARGIN;
    const width = Math.min(WIDTH, room);
    const left = Math.max(MARGIN, Math.min(box.right - width, MARGIN + room - width));
    const style = { width, left: left + window.scrollX, top: box.bottom + BELOW + window.scrollY };
    setPlace({ page, style });
  }, [button]);
  useEffect(() => {
    if (!open) return;
    window.addEventListener('resize', put);
    return () => window.removeEventListener('resize', put);
  }, [open, put]);
  return { place, put };
}

interface ProblemProps extends Pick<Exports, 'choose' | 'close'> {
  problem: ExportProblem;
  onUpgrade: () => void;
}

/** Why there is no file, and the way to one; the text stays as it is. */
export function ExportProblemNote({ problem, choose, close, onUpgrade }: ProblemProps) {
  const comingSoon = useSite().premiumAvailability === 'coming-soon';
  const { name } = FORMATS[problem.id];
  const isPremium = problem.kind === 'premium';
  return (
    <div className="border-b border-rule p-4">
      <Alert
        tone={isPremium ? 'info' : 'danger'}
        title={isPremium ? `${name} is part of Premium` : `The ${name} file could not be made`}
        action={
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="small"
              onClick={isPremium ? onUpgrade : () => void choose(problem.id)}
            >
              {isPremium ? (comingSoon ? 'Join the waitlist' : 'Get Premium') : 'Try again'}
            </Button>
            <Button variant="ghost" size="small" onClick={close}>
              Close
            </Button>
          </div>
        }
      >
        {isPremium
          ? 'Your text stays here as it is. Formats without that mark are free.'
          : `${problem.why} Your text is still here.`}
      </Alert>
    </div>
  );
}

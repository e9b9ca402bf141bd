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

/** The last item of the menu, below the formats. */
interface LastItem {
  name: string;
  goodFor: string;
  act: () => void;
}

const PRINT: LastItem = {
  name: 'Print',
  goodFor: 'The text and the picture on paper',
  act: () => window.print(),
};

/** The menu of the other export formats, with the purpose of each. */
export function MoreFormats({
  offered,
  isPremium,
  working,
  prepare,
  choose,
  last = PRINT,
}: Exports & { last?: LastItem }) {
  const { open, openMenu, close, menuId, button, menu, onMenuKeyDown } = useMenu();
  const { place, updatePlace } = useMenuPlace(button, open);
  const show = async (end: MenuFocus) => {
    if (!(await prepare())) return;
    // The menu needs its place before it opens, because its focused item would scroll the page.
    updatePlace();
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
          // Not inside the card, which clips its overflow.
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

/** Maximal width, distance from the window's edges and distance below the button, in CSS pixels. */
const WIDTH = 360;
const MARGIN = 16;
const BELOW = 4;

interface Place {
  /** The element that the menu is rendered into. */
  page: Element;
  style: CSSProperties;
}

/** The place of a menu on the page, below its button and within the window. Call `updatePlace` before it opens. */
function useMenuPlace(button: RefObject<HTMLElement | null>, open: boolean) {
  const [place, setPlace] = useState<Place | null>(null);
  const updatePlace = useCallback(() => {
    const box = button.current?.getBoundingClientRect();
    const page = button.current?.closest('main');
    if (!box || !page) return;
    const available = document.documentElement.clientWidth - 2 * MARGIN;
    const width = Math.min(WIDTH, available);
    const left = Math.max(MARGIN, Math.min(box.right - width, MARGIN + available - width));
    const style = { width, left: left + window.scrollX, top: box.bottom + BELOW + window.scrollY };
    setPlace({ page, style });
  }, [button]);
  useEffect(() => {
    if (!open) return;
    window.addEventListener('resize', updatePlace);
    return () => window.removeEventListener('resize', updatePlace);
  }, [open, updatePlace]);
  return { place, updatePlace };
}

interface ProblemProps extends Pick<Exports, 'choose' | 'close'> {
  problem: ExportProblem;
  onUpgrade: () => void;
}

/** Why the file could not be saved, and a button for the next step. */
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

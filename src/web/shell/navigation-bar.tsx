import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { useLocation } from '../router/router.tsx';
import { userQuery } from '../session/queries.ts';
import { Link } from '../ui/basics/button.tsx';
import { Wordmark } from '../ui/basics/display.tsx';
import { Icon } from '../ui/basics/icon.tsx';
import { UserArea } from './user-area.tsx';

const LINKS = [
  { to: PAGES.home, label: 'Home' },
  { to: PAGES.blog, label: 'Blog' },
  { to: PAGES.premium, label: 'Premium', marked: true },
] as const;
/** For subscribers. */
const TEXTS = { to: PAGES.texts, label: 'Texts' } as const;

/** Stays at the top of the window. Below 768 px its links move into a list that a button opens. */
export function NavigationBar() {
  const { pathname } = useLocation();
  const { ref, id, open, toggle, close } = useMenu();
  return (
    <header ref={ref} className="navigation-bar z-30 border-b border-rule bg-paper">
      <div className="page-width wide-with-result flex h-16 items-center gap-6 md:gap-9">
        <Link to={PAGES.home} aria-label={`${BRAND.name}, home page`} className="-mx-1 rounded-control px-1">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="flex-1 max-md:hidden">
          <Links pathname={pathname} className="flex items-center gap-7" />
        </nav>
        <div className="max-md:ml-auto max-sm:hidden">
          <UserArea />
        </div>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={toggle}
          className="-mr-2.5 flex size-11 items-center justify-center rounded-control hover:bg-sunk max-sm:ml-auto md:hidden"
        >
          <Icon name={open ? 'close' : 'menu'} title={open ? 'Close menu' : 'Open menu'} className="size-6" />
        </button>
      </div>
      <nav
        id={id}
        aria-label="Main, small screen"
        hidden={!open}
        className="motion-fade absolute inset-x-0 top-full border-b border-rule-strong bg-sheet shadow-lifted md:hidden"
      >
        {open && (
          <div className="page-width pt-2">
            <Links pathname={pathname} className="flex flex-col" onChoose={close} roomy />
            <div className="mt-2 border-t border-rule py-4 sm:hidden">
              <UserArea onNavigate={close} />
            </div>
          </div>
        )}
      </nav>
    </header>
  );
}

interface LinksProps {
  pathname: string;
  className: string;
  onChoose?: () => void;
  /** Tall enough for a thumb. */
  roomy?: boolean;
}

function Links({ pathname, className, onChoose, roomy = false }: LinksProps) {
  const isPremium = useQuery(userQuery).data?.isPremium;
  return (
    <ul className={className}>
      {[...LINKS, ...(isPremium ? [TEXTS] : [])].map((link) => {
        const active = isActivePath(link.to, pathname);
        return (
          <li key={link.to}>
            <Link
              to={link.to}
              onClick={onChoose}
              aria-current={active ? 'page' : undefined}
              className={clsx(
                'group inline-flex items-center',
                roomy ? 'min-h-12 w-full text-lg' : 'min-h-11',
                active ? 'text-ink' : 'text-ink-soft hover:text-ink',
              )}
            >
              <span
                className={clsx(
                  'leading-6 underline decoration-2 underline-offset-8',
                  active ? 'decoration-ink' : 'decoration-transparent',
                  'marked' in link && 'highlighted px-1.5',
                )}
              >
                {link.label}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The state of the menu. Escape closes it and returns the focus to its button; a click outside closes it too. */
function useMenu() {
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      ref.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !ref.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [open]);

  return { id, ref, open, toggle: () => setOpen((was) => !was), close: () => setOpen(false) };
}

/** Whether a link is active: Home only on an exact match, the other links also on their subpages. */
export function isActivePath(link: string, pathname: string): boolean {
  const current = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  if (link === PAGES.home) return current === PAGES.home;
  return current === link || current.startsWith(`${link}/`);
}

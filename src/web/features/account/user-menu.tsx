import { clsx } from 'clsx';
import { type ReactNode, type RefObject, useEffect } from 'react';
import type { User } from '#contract/account';
import { PAGES } from '#contract/paths';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useSite } from '../../site/site.tsx';
import { Link } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { type MenuFocus, useMenu } from '../../ui/use-menu.ts';

export interface UserMenuProps {
  user: User;
  opensAtOnce?: MenuFocus | undefined;
  /** Whether the placeholder of the menu button had the focus. */
  takesFocus?: RefObject<boolean>;
  onPremium: () => void;
  /** Called when a link was chosen. */
  onNavigate?: (() => void) | undefined;
}

/** The username as a button with the account menu. */
export function UserMenu({ user, opensAtOnce, takesFocus, onPremium, onNavigate }: UserMenuProps) {
  const { signOut } = useSignOut();
  const comingSoon = useSite().premiumAvailability === 'coming-soon';
  const { open, openMenu, close, menuId, button, menu, onMenuKeyDown } = useMenu(opensAtOnce);
  useEffect(() => {
    if (takesFocus?.current && !opensAtOnce) button.current?.focus();
  }, [takesFocus, opensAtOnce, button]);
  const choose = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <div className="sm:relative">
      <button
        ref={button}
        type="button"
        data-part="user-menu"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => (open ? close() : openMenu('first'))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          openMenu(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
        className="inline-flex min-h-11 max-w-52 items-center gap-1.5 rounded-control px-2 hover:bg-sunk"
      >
        <Icon name="user" />
        <span className="truncate">{user.username}</span>
        <Icon name="chevron" className="size-4 text-ink-soft" />
      </button>
      {open && (
        <div
          ref={menu}
          id={menuId}
          role="menu"
          tabIndex={-1}
          aria-label={`Account of ${user.username}`}
          onKeyDown={onMenuKeyDown}
          className="motion-fade absolute top-full z-40 mt-1 rounded-sheet border border-rule-strong bg-sheet py-1 shadow-lifted max-sm:inset-x-5 sm:right-0 sm:w-72"
        >
          <MenuItem disabled>{user.email}</MenuItem>
          <hr className="my-1 border-rule" />
          {!user.isPremium && (
            <MenuItem onChoose={choose(onPremium)}>
              {comingSoon ? 'Coming Soon - Premium Features' : 'Premium Features'}
            </MenuItem>
          )}
          <Link
            role="menuitem"
            tabIndex={-1}
            to={PAGES.account}
            onClick={choose(() => onNavigate?.())}
            className={ITEM}
          >
            Account settings
          </Link>
          <MenuItem onChoose={choose(signOut)}>Sign Out</MenuItem>
        </div>
      )}
    </div>
  );
}

const ITEM =
  'flex min-h-11 w-full items-center px-4 text-left hover:bg-sunk focus-visible:bg-sunk focus-visible:-outline-offset-2';

interface MenuItemProps {
  onChoose?: () => void;
  disabled?: boolean;
  children: ReactNode;
}

/** A disabled item can have the focus, so that screen readers read it. */
function MenuItem({ onChoose, disabled = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      onClick={onChoose}
      className={clsx(
        ITEM,
        disabled && 'cursor-default! text-sm wrap-anywhere text-ink-soft hover:bg-transparent',
      )}
    >
      {children}
    </button>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { User } from '#contract/account';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { lazyModule, useLazy } from '../hydration/lazy.tsx';
import { usageQuery, userQuery } from '../session/queries.ts';
import { Button } from '../ui/basics/button.tsx';
import { Badge, Skeleton } from '../ui/basics/display.tsx';
import { Icon } from '../ui/basics/icon.tsx';
import type { MenuFocus } from '../ui/use-menu.ts';

/** Loaded for signed-in users only; without it, the name is still shown. */
const userMenu = lazyModule(() => import('../features/account/user-menu.tsx'));

interface UsernameProps {
  user: User;
  onOpen: (at: MenuFocus) => void;
  /** The button was pressed; the menu opens once its code is loaded. */
  opening: boolean;
  isFocused: RefObject<boolean>;
}

/** Placeholder of the menu button while its code loads. Hands over a click, an arrow key and the focus. */
function Username({ user, onOpen, opening, isFocused }: UsernameProps) {
  const setFocused = (value: boolean) => () => {
    isFocused.current = value;
  };
  return (
    <button
      type="button"
      data-part="user-menu"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={opening || undefined}
      onFocus={setFocused(true)}
      onBlur={setFocused(false)}
      onClick={() => onOpen('first')}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        onOpen(event.key === 'ArrowDown' ? 'first' : 'last');
      }}
      className="inline-flex min-h-11 max-w-52 items-center gap-1.5 rounded-control px-2 hover:bg-sunk"
    >
      <Icon name="user" />
      <span className="truncate">{user.username}</span>
      {opening ? (
        <span aria-hidden="true" className="caret" />
      ) : (
        <Icon name="chevron" className="size-4 text-ink-soft" />
      )}
    </button>
  );
}

/** Shows a placeholder while the user is loading, the sign-in button, or the badge of the plan and the user menu. */
export function UserArea({ onNavigate }: { onNavigate?: () => void }) {
  const user = useQuery(userQuery);
  const usage = useQuery(usageQuery);
  const { openFor } = useDialogs();
  const [menuWanted, setMenuWanted] = useState<MenuFocus>();
  const isNameFocused = useRef(false);
  const menu = useLazy(userMenu, { enabled: Boolean(user.data), attempt: menuWanted });

  if (user.isPending) {
    return (
      <span>
        <Skeleton className="h-8 w-36" />
        <span className="sr-only">Loading your account</span>
      </span>
    );
  }
  if (!user.data) {
    return (
      <Button variant="secondary" size="small" onClick={() => openFor('sign-in')}>
        Premium Sign In
      </Button>
    );
  }
  return (
    <div className="flex items-center gap-3">
      {user.data.isPremium ? (
        // After the name: next to the navigation link “Premium” the badge would read as the same word twice.
        <Badge tone="solid" className="order-last">
          Premium
        </Badge>
      ) : (
        usage.data && (
          <Badge>
            {usage.data.imageCount}/{usage.data.dailyLimit} images
          </Badge>
        )
      )}
      {menu ? (
        <menu.UserMenu
          user={user.data}
          opensAtOnce={menuWanted}
          takesFocus={isNameFocused}
          onPremium={() => openFor('upgrade')}
          onNavigate={onNavigate}
        />
      ) : (
        <Username
          user={user.data}
          onOpen={setMenuWanted}
          opening={menuWanted !== undefined && menu !== null}
          isFocused={isNameFocused}
        />
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import type { User } from '#contract/user';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { usageQuery, userQuery } from '../query.ts';
import { AfterHydration } from '../ui/after-hydration.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';

/** Only those who are signed in need it; if it cannot be loaded, their name is still there. */
const UserMenu = lazy(() =>
  import('../features/account/user-menu.tsx').then(
    ({ UserMenu }) => ({ default: UserMenu }),
    () => ({ default: Username }),
  ),
);

/** Takes the room that the menu's button will take. */
function Username({ user }: { user: User }) {
  return (
    <span className="inline-flex min-h-11 max-w-52 items-center gap-1.5 px-2">
      <Icon name="user" />
      <span className="truncate">{user.username}</span>
      <Icon name="chevron" className="size-4 text-ink-soft" />
    </span>
  );
}

/** Who is using the page: not known yet, nobody, or somebody with a plan. */
export function UserArea({ onNavigate }: { onNavigate?: () => void }) {
  const user = useQuery(userQuery);
  const usage = useQuery(usageQuery);
  const { answer } = useDialogs();

  if (user.isPending) {
    return (
      <span>
        <Skeleton className="h-8 w-36" />
        <VisuallyHidden>Loading your account</VisuallyHidden>
      </span>
    );
  }
  if (!user.data) {
    return (
      <Button variant="secondary" size="small" className="min-h-11" onClick={() => answer('sign-in')}>
        Premium Sign In
      </Button>
    );
  }
  return (
    <div className="flex items-center gap-3">
      {user.data.isPremium ? (
        <Badge tone="solid">Premium</Badge>
      ) : (
        usage.data && (
          <Badge>
            {usage.data.imageCount}/{usage.data.dailyLimit} images
          </Badge>
        )
      )}
      <AfterHydration fallback={<Username user={user.data} />}>
        <UserMenu user={user.data} onPremium={() => answer('upgrade')} onNavigate={onNavigate} />
      </AfterHydration>
    </div>
  );
}

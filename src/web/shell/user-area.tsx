import { useQuery } from '@tanstack/react-query';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { useSignOut } from '../features/account/use-sign-out.ts';
import { UserMenu } from '../features/account/user-menu.tsx';
import { usageQuery, userQuery } from '../query.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';

/** Who is using the page: not known yet, nobody, or somebody with a plan. */
export function UserArea({ onNavigate }: { onNavigate?: () => void }) {
  const user = useQuery(userQuery);
  const usage = useQuery(usageQuery);
  const { answer } = useDialogs();
  const { signOut } = useSignOut();

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
      <UserMenu
        user={user.data}
        onPremium={() => answer('upgrade')}
        onSignOut={signOut}
        onNavigate={onNavigate}
      />
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { usageQuery, userQuery } from '../../session/queries.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { Button } from '../../ui/basics/button.tsx';

/** The bar above the tool for a signed-in free user: name, usage, upgrade and logout. */
export function AccountBar({ onUpgrade }: { onUpgrade: () => void }) {
  const user = useQuery(userQuery).data;
  const usage = useQuery(usageQuery).data;
  const { signOut, busy } = useSignOut();
  if (!user || user.isPremium) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-rule py-2.5">
      <p>
        Welcome, <span className="font-medium">{user.username}</span>!{' '}
        {usage && (
          <span className="text-ink-soft tabular-nums">
            {usage.imageCount}/{usage.dailyLimit} images used today
          </span>
        )}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="small" onClick={onUpgrade}>
          Upgrade
        </Button>
        <Button variant="ghost" size="small" busy={busy} onClick={signOut}>
          Logout
        </Button>
      </div>
    </div>
  );
}

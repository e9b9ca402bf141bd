import { useQuery } from '@tanstack/react-query';
import { PAGES } from '#contract/paths';
import { usageQuery, userQuery } from '../query.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';

/** Who is using the page: not known yet, nobody, or somebody with a plan. */
export function UserArea() {
  const user = useQuery(userQuery);
  const usage = useQuery(usageQuery);

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
      <ButtonLink to={PAGES.premium} variant="secondary" size="small">
        Premium Sign In
      </ButtonLink>
    );
  }
  return (
    <span className="flex items-center gap-3">
      {user.data.isPremium ? (
        <Badge tone="solid">Premium</Badge>
      ) : (
        usage.data && (
          <Badge>
            {usage.data.imageCount}/{usage.data.dailyLimit} images
          </Badge>
        )
      )}
      <span className="max-w-40 truncate">{user.data.username}</span>
    </span>
  );
}

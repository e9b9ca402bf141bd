import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { longDate } from '#contract/long-date';
import { accounts, reasonOf } from '../../api/client.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge, Skeleton } from '../../ui/basics/display.tsx';
import { toast, toastError } from '../../ui/toast/toast-store.ts';
import { sessionsQuery } from './account-queries.ts';

/** Lists the signed-in browsers, and signs them out. */
export function SessionList() {
  const queries = useQueryClient();
  const { data, isError } = useQuery(sessionsQuery);
  const mutationCallbacks = {
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
    onError: async (error: Error) => toastError(await reasonOf(error, 'It could not be signed out.')),
  };
  const endOne = useMutation({
    mutationFn: (id: string) => accounts.send('DELETE /api/account/sessions/:id', { params: { id } }),
    ...mutationCallbacks,
  });
  const endOthers = useMutation({
    mutationFn: () => accounts.send('POST /api/account/sessions/end'),
    onError: mutationCallbacks.onError,
    onSuccess: async () => {
      await mutationCallbacks.onSuccess();
      toast({ title: 'Signed out everywhere else', description: 'Only this browser is still signed in.' });
    },
  });

  if (isError) return <Alert tone="danger">Your sessions could not be loaded. Please reload the page.</Alert>;
  if (!data) return <Skeleton className="h-24" />;
  const { sessions } = data;
  return (
    <div className="grid justify-items-start gap-5">
      <ul className="w-full border-b border-rule">
        {sessions.map(({ id, current, device, createdAt, lastSeenAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-rule py-3"
          >
            <div>
              <p className="flex flex-wrap items-center gap-2">
                {device} {current && <Badge>this browser</Badge>}
              </p>
              <p className="text-sm text-ink-soft">
                Since {longDate(createdAt)}, last used {longDate(lastSeenAt)}
              </p>
            </div>
            {!current && (
              <Button
                variant="secondary"
                size="small"
                aria-label={`Sign out ${device}`}
                busy={endOne.isPending && endOne.variables === id}
                onClick={() => endOne.mutate(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button
        variant="secondary"
        disabled={sessions.length < 2}
        busy={endOthers.isPending}
        onClick={() => endOthers.mutate()}
      >
        Sign out everywhere else
      </Button>
    </div>
  );
}

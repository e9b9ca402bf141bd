import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { API } from '#contract/paths';
import { postJson } from '../../api.ts';
import { forgetPerson, userQuery } from '../../query.ts';
import { toast } from '../../ui/toast-store.ts';

/**
 * Signs out, on the server first: only then does the page forget who was here.
 * Not a query library's mutation: the first view would carry that for nothing.
 */
export function useSignOut() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await postJson(API.logout);
      toast({ title: 'Logged out', description: 'Successfully logged out' });
      await forgetPerson(queries);
    } catch {
      toast({ title: 'Logout failed', description: 'Please try again', variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  return { signOut, busy };
}

/** How often somebody has signed out since the page was opened: a `key` for what must not outlive them. */
export function useSignOutCount(): number {
  const username = useQuery(userQuery).data?.username ?? null;
  const [seen, setSeen] = useState({ username, count: 0 });
  if (seen.username === username) return seen.count;
  const count = seen.username !== null && username === null ? seen.count + 1 : seen.count;
  setSeen({ username, count });
  return count;
}

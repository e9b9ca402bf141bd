import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { people } from '../api/calls.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { clearPerson, signOutsQuery } from './queries.ts';

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
      await people.send('POST /api/logout');
      toast({ title: 'Logged out', description: 'Successfully logged out' });
      await clearPerson(queries);
    } catch {
      toast({ title: 'Logout failed', description: 'Please try again', variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  return { signOut, busy };
}

/** A `key` for what must not outlive a person’s signing out. A session that merely ended takes nothing along. */
export function useSignOutCount(): number {
  return useQuery(signOutsQuery).data ?? 0;
}

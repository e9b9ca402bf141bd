import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts } from '../api/client.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { clearPerson, signOutsQuery } from './queries.ts';

/**
 * Signs out on the server first and then deletes the user's data in this browser. It does not use `useMutation`, because
 * the first view would load that code for this hook only.
 */
export function useSignOut() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await accounts.send('POST /api/logout');
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

/** A `key` for state that must not outlive signing out. A session that merely expires keeps it. */
export function useSignOutCount(): number {
  return useQuery(signOutsQuery).data ?? 0;
}

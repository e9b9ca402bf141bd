import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts, reasonOf } from '../../api/client.ts';
import { refreshPerson, userQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { toastError } from '../../ui/toast/toast-store.ts';
import { accountQuery } from './account-queries.ts';

interface VerifyEmailProps {
  token: string;
  onSignIn: () => void;
}

/** Confirms an address. Requires the account's user to be signed in, so that another recipient of the mail cannot confirm. */
export function VerifyEmail({ token, onSignIn }: VerifyEmailProps) {
  const queries = useQueryClient();
  const user = useQuery(userQuery).data;
  const [failure, setFailure] = useState<string | null>(null);
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => accounts.send('POST /api/account/verify', { body: { token } }),
    onSuccess: async () => {
      await Promise.all([refreshPerson(queries), queries.invalidateQueries(accountQuery)]);
    },
    onError: async (error) => {
      const reason = await reasonOf(error, 'Your address could not be confirmed. Please try again.');
      setFailure(reason);
      toastError(reason);
    },
  });
  if (isSuccess)
    return <Alert title="Your address is confirmed">Thank you. There is nothing more to do.</Alert>;
  if (!user) {
    return (
      <Alert
        title="Sign in to confirm your address"
        action={
          <Button variant="secondary" size="small" onClick={onSignIn}>
            Sign in
          </Button>
        }
      >
        Only the owner of the account can confirm it.
      </Alert>
    );
  }
  return (
    <div className="grid justify-items-start gap-5">
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere>
          {failure}
        </Alert>
      )}
      <Button busy={isPending} onClick={() => mutate()}>
        {isPending ? 'Confirming...' : `Confirm for ${user.username}`}
      </Button>
    </div>
  );
}

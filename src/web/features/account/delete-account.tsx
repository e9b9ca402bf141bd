import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '#contract/account';
import { ACCOUNT_MESSAGES } from '#contract/account-rules';
import { PAGES } from '#contract/paths';
import { accounts, reasonOf } from '../../api/client.ts';
import { useNavigate } from '../../router/router.tsx';
import { clearPerson } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { LazyDialog } from '../../ui/dialog/lazy-dialog.tsx';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { toast } from '../../ui/toast/toast-store.ts';

/** Deletes the account after a confirmation: the user has to type the username. */
export function DeleteAccount({ account }: { account: Account }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <LazyDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete your account?"
        description="Your texts, your settings and your sign-in are deleted at once and cannot be restored. A running subscription is cancelled."
      >
        <DeletionForm account={account} onKeep={() => setOpen(false)} />
      </LazyDialog>
    </>
  );
}

type Field = 'username' | 'currentPassword';

function DeletionForm({ account, onKeep }: { account: Account; onKeep: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [username, setUsername] = useState('');
  const password = useCurrentPassword(account.hasPassword);
  const { formProps, busy, failure, errorOf } = useForm<Field, Response>({
    check: () => {
      if (username.trim() === '') return { message: ACCOUNT_MESSAGES.fillAll, fields: ['username'] };
      return password.problem;
    },
    send: () =>
      accounts.send('POST /api/account/delete', {
        body: { username: username.trim(), ...password.body },
      }),
    onSuccess: async () => {
      toast({ title: 'Account deleted', description: 'All its data has been deleted. Goodbye.' });
      await navigate(PAGES.home);
      await clearPerson(queries);
    },
    explain: (error) => reasonOf(error, 'The account could not be deleted.'),
  });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label={`Type your username, ${account.username}`}
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus
        value={username}
        onValue={setUsername}
        error={errorOf('username')}
      />
      {password.fieldWith(errorOf('currentPassword'))}
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere>
          {failure}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {busy ? 'Deleting...' : 'Delete for good'}
        </Button>
        <Button variant="secondary" onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </form>
  );
}

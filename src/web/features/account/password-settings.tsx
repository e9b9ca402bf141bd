import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/account';
import { reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Unfolding } from '../../ui/unfolding.tsx';
import { useForm } from '../../ui/use-form.ts';
import { accountQuery } from './account-calls.ts';
import { CurrentPassword } from './current-password.tsx';
import { checkNewPassword } from './form-check.ts';

/** A new password, or a first one for somebody who signs in with a provider. */
export function PasswordSettings({ hasPassword }: { hasPassword: boolean }) {
  return (
    <div className="grid gap-4">
      {!hasPassword && <p>You have no password yet: you sign in with your provider.</p>}
      <Unfolding label={hasPassword ? 'Change password' : 'Set a password'}>
        {(fold) => <PasswordForm hasPassword={hasPassword} onDone={fold} />}
      </Unfolding>
    </div>
  );
}

type Field = 'currentPassword' | 'password' | 'confirmation';

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const queries = useQueryClient();
  const [currentPassword, setCurrentPassword] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const { formProps, busy, failure, errorOf } = useForm<Field, Response>({
    check: () =>
      hasPassword && currentPassword === ''
        ? { message: ACCOUNT_MESSAGES.fillAll, fields: ['currentPassword'] }
        : checkNewPassword({ password, confirmation }),
    send: () =>
      people.send('POST /api/account/password', {
        body: { newPassword: password, ...(hasPassword && { currentPassword }) },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries(accountQuery);
      toast({ title: 'Password changed', description: 'Every other device was signed out.' });
      onDone();
    },
    explain: (error) => reasonOf(error, 'The password could not be changed.'),
  });
  return (
    <form {...formProps} className="grid gap-4">
      {hasPassword && (
        <CurrentPassword
          value={currentPassword}
          onValue={setCurrentPassword}
          error={errorOf('currentPassword')}
        />
      )}
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        value={password}
        onValue={setPassword}
        error={errorOf('password')}
      />
      <TextField
        label="Confirm new password"
        name="confirmation"
        type="password"
        autoComplete="new-password"
        value={confirmation}
        onValue={setConfirmation}
        error={errorOf('confirmation')}
      />
      {failure && <Alert tone="danger">{failure}</Alert>}
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  );
}

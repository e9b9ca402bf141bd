import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { accounts, reasonOf } from '../../api/client.ts';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { Disclosure } from '../../ui/forms/disclosure.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { toast } from '../../ui/toast/toast-store.ts';
import { accountQuery } from './account-queries.ts';
import { checkNewPassword, type NewPasswordValues, NO_PASSWORD } from './forms/form-check.ts';
import { NewPassword } from './forms/password-fields.tsx';

interface PasswordSettingsProps {
  hasPassword: boolean;
  /** Shown below the form: what stays valid after a password change. */
  note: ReactNode;
}

/** Changes the password, or sets the first one of an account that signs in with a provider. */
export function PasswordSettings({ hasPassword, note }: PasswordSettingsProps) {
  return (
    <div className="grid gap-4">
      {!hasPassword && <p>You have no password yet: you sign in with your provider.</p>}
      <Disclosure label={hasPassword ? 'Change password' : 'Set a password'}>
        {(fold) => <PasswordForm hasPassword={hasPassword} onDone={fold} />}
      </Disclosure>
      {note}
    </div>
  );
}

type Field = 'currentPassword' | keyof NewPasswordValues;

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const queries = useQueryClient();
  const password = useCurrentPassword(hasPassword);
  const [values, setValues] = useState<NewPasswordValues>(NO_PASSWORD);
  const form = useForm<Field, Response>({
    check: () => password.problem ?? checkNewPassword(values),
    send: () =>
      accounts.send('POST /api/account/password', {
        body: { newPassword: values.password, ...password.body },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries(accountQuery);
      toast({ title: 'Password changed', description: 'Every other device was signed out.' });
      onDone();
    },
    explain: (error) => reasonOf(error, 'The password could not be changed.'),
  });
  return (
    <Form form={form} action="Save password" working="Saving...">
      {password.fieldWith(form.errorOf('currentPassword'))}
      <NewPassword values={values} onChange={setValues} errorOf={form.errorOf} />
    </Form>
  );
}

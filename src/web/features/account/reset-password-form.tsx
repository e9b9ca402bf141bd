import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { refreshPerson } from '../../query.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { checkNewPassword, type NewPasswordValues } from './form-check.ts';

interface ResetPasswordFormProps {
  token: string;
  onSignIn: () => void;
}

/** A new password by the mailed link. Every device is signed out by it, this one included. */
export function ResetPasswordForm({ token, onSignIn }: ResetPasswordFormProps) {
  const queries = useQueryClient();
  const [values, setValues] = useState<NewPasswordValues>({ password: '', confirmation: '' });
  const { formProps, busy, done, failure, errorOf } = useForm<keyof NewPasswordValues, Response>({
    check: () => checkNewPassword(values),
    send: () => people.send('POST /api/password/reset', { body: { token, password: values.password } }),
    onSuccess: () => refreshPerson(queries),
    explain: (error) => reasonOf(error, 'The password could not be set. Please try again.'),
  });
  if (done) {
    return (
      <div className="grid justify-items-start gap-5">
        <Alert title="Your new password is set">Every device was signed out.</Alert>
        <Button onClick={onSignIn}>Sign in</Button>
      </div>
    );
  }
  const set = (field: keyof NewPasswordValues) => (value: string) => setValues({ ...values, [field]: value });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        value={values.password}
        onValue={set('password')}
        error={errorOf('password')}
      />
      <TextField
        label="Confirm new password"
        name="confirmation"
        type="password"
        autoComplete="new-password"
        value={values.confirmation}
        onValue={set('confirmation')}
        error={errorOf('confirmation')}
      />
      {failure && <Alert tone="danger">{failure}</Alert>}
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { accounts, reasonOf } from '../../api/client.ts';
import { refreshPerson } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { checkNewPassword, type NewPasswordValues, NO_PASSWORD } from './forms/form-check.ts';
import { NewPassword } from './forms/password-fields.tsx';

interface ResetPasswordFormProps {
  token: string;
  onSignIn: () => void;
}

/** Sets a new password with the token of a mailed link. This signs out every device, including this one. */
export function ResetPasswordForm({ token, onSignIn }: ResetPasswordFormProps) {
  const queries = useQueryClient();
  const hint = useId();
  const [values, setValues] = useState<NewPasswordValues>(NO_PASSWORD);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const form = useForm<keyof NewPasswordValues, Response>({
    check: () => checkNewPassword(values),
    send: () =>
      accounts.send('POST /api/password/reset', { body: { token, password: values.password, revokeKeys } }),
    onSuccess: () => refreshPerson(queries),
    explain: (error) => reasonOf(error, 'The password could not be set. Please try again.'),
  });
  if (form.done) {
    return (
      <div className="grid justify-items-start gap-5">
        <Alert title="Your new password is set">
          {revokeKeys
            ? 'Every device was signed out, and all API keys were revoked.'
            : 'Every device was signed out.'}
        </Alert>
        <Button onClick={onSignIn}>Sign in</Button>
      </div>
    );
  }
  return (
    <Form form={form} action="Save password" working="Saving...">
      <NewPassword values={values} onChange={setValues} errorOf={form.errorOf} />
      <div className="grid gap-1">
        <label className="flex min-h-11 items-center gap-2.5">
          <input
            type="checkbox"
            name="revokeKeys"
            className="size-4.5 shrink-0 accent-ink"
            checked={revokeKeys}
            aria-describedby={hint}
            onChange={({ target }) => setRevokeKeys(target.checked)}
          />
          Revoke my API keys too
        </label>
        <p id={hint} className="text-sm text-ink-soft">
          Choose this if someone else may have used your account. Programs that use a key then need a new one.
        </p>
      </div>
    </Form>
  );
}

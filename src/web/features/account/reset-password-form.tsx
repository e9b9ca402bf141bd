import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { refreshPerson } from '../../query.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { useForm } from '../../ui/use-form.ts';
import { checkNewPassword, type NewPasswordValues, NO_PASSWORD } from './form-check.ts';
import { NewPassword } from './password-fields.tsx';

interface ResetPasswordFormProps {
  token: string;
  onSignIn: () => void;
}

/** A new password by the mailed link. Every device is signed out by it, this one included. */
export function ResetPasswordForm({ token, onSignIn }: ResetPasswordFormProps) {
  const queries = useQueryClient();
  const [values, setValues] = useState<NewPasswordValues>(NO_PASSWORD);
  const form = useForm<keyof NewPasswordValues, Response>({
    check: () => checkNewPassword(values),
    send: () => people.send('POST /api/password/reset', { body: { token, password: values.password } }),
    onSuccess: () => refreshPerson(queries),
    explain: (error) => reasonOf(error, 'The password could not be set. Please try again.'),
  });
  if (form.done) {
    return (
      <div className="grid justify-items-start gap-5">
        <Alert title="Your new password is set">Every device was signed out.</Alert>
        <Button onClick={onSignIn}>Sign in</Button>
      </div>
    );
  }
  return (
    <Form form={form} action="Save password" working="Saving...">
      <NewPassword values={values} onChange={setValues} errorOf={form.errorOf} />
    </Form>
  );
}

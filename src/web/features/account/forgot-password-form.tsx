import { useState } from 'react';
import { ACCOUNT_MESSAGES, emailSchema } from '#contract/account';
import { reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Asks for the mailed link. The answer is the same whether or not the address has an account. */
export function ForgotPasswordForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('');
  const { formProps, busy, done, failure, errorOf } = useForm({
    check: () =>
      emailSchema.safeParse(email).success
        ? null
        : {
            message: email.trim() === '' ? ACCOUNT_MESSAGES.fillAll : ACCOUNT_MESSAGES.emailForm,
            fields: ['email'],
          },
    send: () => people.send('POST /api/password/forgot', { body: { email } }),
    onSuccess: () => undefined,
    explain: (error) => reasonOf(error, 'The mail could not be asked for. Please try again.'),
  });
  if (done) {
    return (
      <div className="grid justify-items-start gap-5">
        <Alert title="Look into your mailbox">
          If an account has this address, a link to set a new password is on its way to it.
        </Alert>
        <Button data-first-focus onClick={onBack}>
          Back to the login
        </Button>
      </div>
    );
  }
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onValue={setEmail}
        error={errorOf('email')}
      />
      {failure && <Alert tone="danger">{failure}</Alert>}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
        <Button type="submit" busy={busy}>
          {busy ? 'Sending...' : 'Mail me a link'}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back to the login
        </Button>
      </div>
    </form>
  );
}

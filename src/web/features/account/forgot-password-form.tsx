import { useState } from 'react';
import { emailProblem } from '#contract/account-rules';
import { accounts, reasonOf } from '../../api/client.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { problemWith, useForm } from '../../ui/forms/use-form.ts';

/** Requests a mail with a link. The response is the same whether or not the address has an account. */
export function ForgotPasswordForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('');
  const form = useForm({
    check: () => problemWith('email', emailProblem(email)),
    send: () => accounts.send('POST /api/password/forgot', { body: { email } }),
    onSuccess: () => undefined,
    explain: (error) => reasonOf(error, 'The mail could not be sent. Please try again.'),
  });
  if (form.done) {
    return (
      <div className="grid justify-items-start gap-5">
        <Alert title="Look into your mailbox">
          If an account has this address, we have mailed it a link to set a new password.
        </Alert>
        <Button data-first-focus onClick={onBack}>
          Back to the login
        </Button>
      </div>
    );
  }
  return (
    <Form
      form={form}
      action="Mail me a link"
      working="Sending..."
      alternative={
        <Button variant="quiet" onClick={onBack}>
          Back to the login
        </Button>
      }
    >
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onValue={setEmail}
        error={form.errorOf('email')}
      />
    </Form>
  );
}

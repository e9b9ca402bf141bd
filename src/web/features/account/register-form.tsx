import { useQuery } from '@tanstack/react-query';
import { PRICE_TEXT } from '#contract/product';
import { ApiError, reasonOf, registration } from '../../api/client.ts';
import { paymentQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { checkRegister, type RegisterValues } from './forms/form-check.ts';

interface RegisterFormProps {
  values: RegisterValues;
  onChange: (values: RegisterValues) => void;
  onSuccess: () => Promise<void>;
  onPaymentRequired: (email: string) => void;
  /** Called if registration is closed and only the waitlist is open. */
  onWaitlist: () => void;
}

/** The registration form, or a notice if the server has no payment provider: every account needs a payment. */
export function RegisterForm({ onWaitlist, ...form }: RegisterFormProps) {
  const payment = useQuery(paymentQuery).data;
  if (payment?.provider !== null) return <Fields {...form} />;
  return (
    <Alert
      tone="warning"
      title="Registration is currently closed on this server"
      action={
        <Button variant="secondary" size="small" onClick={onWaitlist}>
          Get Notified When Available
        </Button>
      }
    >
      A new account needs a payment, and this server cannot take payments. Leave an address, and we will write
      to you once, on the day premium opens.
    </Alert>
  );
}

function Fields({ values, onChange, onSuccess, onPaymentRequired }: Omit<RegisterFormProps, 'onWaitlist'>) {
  const { username, email, password } = values;
  const form = useForm({
    check: () => checkRegister(values),
    send: () => registration.send('POST /api/register', { body: { username, email, password } }),
    onSuccess,
    explain: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 402) return reasonOf(error, 'Registration failed');
      const pending = await pendingOf(error);
      if (!pending) return reasonOf(error, 'Payment required');
      onPaymentRequired(pending.email);
      return null;
    },
  });
  const set = (field: keyof RegisterValues) => (value: string) => onChange({ ...values, [field]: value });
  return (
    <Form
      form={form}
      action="Create Account"
      working="Creating account..."
      alternative={<p className="text-sm text-ink-soft">Next step: payment, {PRICE_TEXT} a month</p>}
    >
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus
        value={username}
        onValue={set('username')}
        error={form.errorOf('username')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onValue={set('email')}
        error={form.errorOf('email')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 6 characters"
          value={password}
          onValue={set('password')}
          error={form.errorOf('password')}
        />
        <TextField
          label="Confirm Password"
          name="confirmation"
          type="password"
          autoComplete="new-password"
          value={values.confirmation}
          onValue={set('confirmation')}
          error={form.errorOf('confirmation')}
        />
      </div>
    </Form>
  );
}

/** The pending registration in a 402 response; null if the response has none. */
async function pendingOf({ body }: ApiError) {
  try {
    const { registrationPendingSchema } = await import('#contract/account');
    return registrationPendingSchema.partial({ error: true, code: true }).parse(JSON.parse(body));
  } catch {
    return null;
  }
}

import { registrationPendingSchema } from '#contract/account';
import { API } from '#contract/paths';
import { ApiError, postJson, reasonOf } from '../../api.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { checkRegister, type RegisterValues } from './form-check.ts';

interface RegisterFormProps {
  values: RegisterValues;
  onChange: (values: RegisterValues) => void;
  onSuccess: () => Promise<void>;
  onPaymentRequired: (email: string) => void;
}

export function RegisterForm({ values, onChange, onSuccess, onPaymentRequired }: RegisterFormProps) {
  const { username, email, password } = values;
  const { formProps, busy, failure, errorOf } = useForm({
    check: () => checkRegister(values),
    send: () => postJson(API.register, { username, email, password }),
    onSuccess,
    explain: async (error) => {
      const pending = pendingOf(error);
      if (!pending)
        return reasonOf(error, isPaymentRequired(error) ? 'Payment required' : 'Registration failed');
      onPaymentRequired(pending.email);
      return null;
    },
  });
  const set = (field: keyof RegisterValues) => (value: string) => onChange({ ...values, [field]: value });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus
        value={username}
        onValue={set('username')}
        error={errorOf('username')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onValue={set('email')}
        error={errorOf('email')}
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
          error={errorOf('password')}
        />
        <TextField
          label="Confirm Password"
          name="confirmation"
          type="password"
          autoComplete="new-password"
          value={values.confirmation}
          onValue={set('confirmation')}
          error={errorOf('confirmation')}
        />
      </div>
      {failure && <Alert tone="danger">{failure}</Alert>}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
        <Button type="submit" busy={busy}>
          {busy ? 'Creating account...' : 'Create Account'}
        </Button>
        <p className="text-sm text-ink-soft">Next step: payment, $4.99 a month</p>
      </div>
    </form>
  );
}

const isPaymentRequired = (error: unknown) => error instanceof ApiError && error.status === 402;

/** What a 402 says about the registration that waits; null for every other failure. */
function pendingOf(error: unknown) {
  if (!(error instanceof ApiError) || error.status !== 402) return null;
  try {
    return registrationPendingSchema.partial({ error: true }).parse(JSON.parse(error.body));
  } catch {
    return null;
  }
}

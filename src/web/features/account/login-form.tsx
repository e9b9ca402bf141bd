import { failedBy, reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { checkLogin, type LoginValues } from './form-check.ts';

interface LoginFormProps {
  values: LoginValues;
  onChange: (values: LoginValues) => void;
  onSuccess: () => Promise<void>;
  /** The password is right, and the account asks for a second factor. */
  onSecondFactor: () => void;
  onForgot: () => void;
}

export function LoginForm({ values, onChange, onSuccess, onSecondFactor, onForgot }: LoginFormProps) {
  const { formProps, busy, failure, errorOf } = useForm({
    check: () => checkLogin(values),
    send: () => people.send('POST /api/login', { body: values }),
    onSuccess,
    explain: async (error) => {
      if (!(await failedBy(error, 'accounts.second_factor_required'))) return reasonOf(error, 'Login failed');
      onSecondFactor();
      return null;
    },
  });
  const set = (field: keyof LoginValues) => (value: string) => onChange({ ...values, [field]: value });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus={values.username === '' ? true : undefined}
        value={values.username}
        onValue={set('username')}
        error={errorOf('username')}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        data-first-focus={values.username === '' ? undefined : true}
        value={values.password}
        onValue={set('password')}
        error={errorOf('password')}
      />
      {failure && <Alert tone="danger">{failure}</Alert>}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
        <Button type="submit" busy={busy}>
          {busy ? 'Logging in...' : 'Login'}
        </Button>
        <Button variant="quiet" onClick={onForgot}>
          Forgot password?
        </Button>
      </div>
    </form>
  );
}

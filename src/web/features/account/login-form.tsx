import { accounts, failedBy, reasonOf } from '../../api/client.ts';
import { Button } from '../../ui/basics/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { checkLogin, type LoginValues } from './forms/form-check.ts';

interface LoginFormProps {
  values: LoginValues;
  onChange: (values: LoginValues) => void;
  onSuccess: (response: Response) => Promise<void>;
  /** The password is right, and the account requires a second factor. */
  onSecondFactor: () => void;
  onForgot: () => void;
}

export function LoginForm({ values, onChange, onSuccess, onSecondFactor, onForgot }: LoginFormProps) {
  const form = useForm({
    check: () => checkLogin(values),
    send: () => accounts.send('POST /api/login', { body: values }),
    onSuccess,
    explain: async (error) => {
      if (!(await failedBy(error, 'accounts.second_factor_required'))) return reasonOf(error, 'Login failed');
      onSecondFactor();
      return null;
    },
  });
  const set = (field: keyof LoginValues) => (value: string) => onChange({ ...values, [field]: value });
  return (
    <Form
      form={form}
      action="Login"
      working="Logging in..."
      alternative={
        <Button variant="quiet" onClick={onForgot}>
          Forgot password?
        </Button>
      }
    >
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus={values.username === '' ? true : undefined}
        value={values.username}
        onValue={set('username')}
        error={form.errorOf('username')}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        data-first-focus={values.username === '' ? undefined : true}
        value={values.password}
        onValue={set('password')}
        error={form.errorOf('password')}
      />
    </Form>
  );
}

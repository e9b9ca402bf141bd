import { TextField } from '../../../ui/forms/field.tsx';
import type { NewPasswordValues } from './form-check.ts';

interface NewPasswordProps {
  values: NewPasswordValues;
  onChange: (values: NewPasswordValues) => void;
  errorOf: (field: keyof NewPasswordValues) => string | undefined;
}

/** Two fields for a new password, because the typed characters are hidden. */
export function NewPassword({ values, onChange, errorOf }: NewPasswordProps) {
  const set = (field: keyof NewPasswordValues) => (value: string) => onChange({ ...values, [field]: value });
  return (
    <>
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
    </>
  );
}

import { TextField } from '../../ui/field.tsx';
import type { NewPasswordValues } from './form-check.ts';

interface CurrentPasswordProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

/** Asked for before anything that somebody at an unlocked screen should not do. */
export function CurrentPassword(props: CurrentPasswordProps) {
  return (
    <TextField
      label="Current password"
      name="currentPassword"
      type="password"
      autoComplete="current-password"
      {...props}
    />
  );
}

interface NewPasswordProps {
  values: NewPasswordValues;
  onChange: (values: NewPasswordValues) => void;
  errorOf: (field: keyof NewPasswordValues) => string | undefined;
}

/** Typed twice, since nobody sees what they type. */
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

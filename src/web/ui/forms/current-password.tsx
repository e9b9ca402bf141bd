import { TextField } from './field.tsx';

interface CurrentPasswordProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

/** Required before changes that an unlocked screen must not allow. */
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

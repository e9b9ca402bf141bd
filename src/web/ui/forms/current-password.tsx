import { TextField } from './field.tsx';

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

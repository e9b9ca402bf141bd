import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'name'> & {
  label: string;
  /** Also the name by which a form finds the field that a check complains about. */
  name: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
};

/** A labelled input, controlled by its text. */
export function TextField({ label, value, onValue, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input {...rest} {...control} value={value} onChange={(event) => onValue(event.target.value)} />
      )}
    </Field>
  );
}

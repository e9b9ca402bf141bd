import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import { Label } from './label.tsx';

interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** A sentence the person can act on; its presence marks the control as invalid. */
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** A labelled control with its hint and its error: `<Field label="Email">{(c) => <Input {...c} />}</Field>`. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-sm text-danger">
          <Icon name="danger" className="size-4 translate-y-0.5" />
          {error}
        </p>
      )}
    </div>
  );
}

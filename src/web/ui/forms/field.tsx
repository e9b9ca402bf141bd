import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from '../basics/icon.tsx';

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id' | 'name'> & {
  label: string;
  /** `useForm` finds an invalid field by this name. */
  name: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
};

export function TextField({ label, value, onValue, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input {...rest} {...control} value={value} onChange={(event) => onValue(event.target.value)} />
      )}
    </Field>
  );
}

interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What the user should correct. Its presence marks the control as invalid. */
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** A labelled control with its hint and its error: `<Field label="Email">{(c) => <Input {...c} />}</Field>`. */
function Field({ label, hint, error, children }: FieldProps) {
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
        <p
          id={`${id}-error`}
          role="alert"
          aria-live="off"
          className="flex items-start gap-1.5 text-sm text-danger"
        >
          <Icon name="danger" className="size-4 translate-y-0.5" />
          {error}
        </p>
      )}
    </div>
  );
}

type LabelProps = ComponentProps<'label'> & { htmlFor: string };

function Label({ className, htmlFor, ...rest }: LabelProps) {
  // biome-ignore lint/a11y/noLabelWithoutControl: `htmlFor` is required and names the control
  return <label {...rest} htmlFor={htmlFor} className={clsx('font-medium', className)} />;
}

function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...rest}
      className={clsx(
        'min-h-11 w-full rounded-control border border-rule-strong bg-paper px-3 text-ink placeholder:text-ink-faint hover:border-ink aria-invalid:border-danger aria-invalid:bg-danger-wash disabled:border-dashed disabled:text-ink-faint',
        className,
      )}
    />
  );
}

import type { ReactNode } from 'react';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';
import type { useForm } from './use-form.ts';

interface FormProps {
  /** The return value of `useForm`. */
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'busy' | 'failure'>;
  action: string;
  /** The label of the button while the form is being sent. */
  working: string;
  /** An alternative action beside the button. */
  alternative?: ReactNode;
  children: ReactNode;
}

/** A column of fields, followed by the error message and the submit button. */
export function Form({
  form: { formProps, busy, failure },
  action,
  working,
  alternative,
  children,
}: FormProps) {
  const button = (
    <Button type="submit" busy={busy} className="justify-self-start">
      {busy ? working : action}
    </Button>
  );
  return (
    <form {...formProps} className="grid gap-4">
      {children}
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere>
          {failure}
        </Alert>
      )}
      {alternative ? (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
          {button}
          {alternative}
        </div>
      ) : (
        button
      )}
    </form>
  );
}

interface CouldNotLoadProps {
  /** The error message. */
  children: ReactNode;
  onTryAgain: () => void;
  className?: string;
}

/** Replaces content that could not be loaded, with a button to try again. */
export function CouldNotLoad({ children, onTryAgain, className }: CouldNotLoadProps) {
  return (
    <Alert
      tone="danger"
      {...(className !== undefined && { className })}
      action={
        <Button variant="secondary" size="small" onClick={onTryAgain}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  );
}

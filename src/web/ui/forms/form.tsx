import type { ReactNode } from 'react';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';
import type { useForm } from './use-form.ts';

interface FormProps {
  /** As `useForm` gives it. */
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'busy' | 'failure'>;
  action: string;
  /** The same while it is on its way. */
  working: string;
  /** Beside the button: an alternative. */
  beside?: ReactNode;
  children: ReactNode;
}

/** Fields one below the other, and under them what every form ends in: why it failed and the button that sends it. */
export function Form({ form: { formProps, busy, failure }, action, working, beside, children }: FormProps) {
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
      {beside ? (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
          {button}
          {beside}
        </div>
      ) : (
        button
      )}
    </form>
  );
}

interface CouldNotLoadProps {
  /** The missing part. */
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

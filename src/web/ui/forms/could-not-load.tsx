import type { ReactNode } from 'react';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';

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

import type { ReactNode } from 'react';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';

interface CouldNotLoadProps {
  /** What is not there. */
  children: ReactNode;
  onTryAgain: () => void;
  className?: string;
}

/** Stands where something would that could not be had, with the way to ask for it again. */
export function CouldNotLoad({ children, onTryAgain, className }: CouldNotLoadProps) {
  return (
    <Alert
      tone="danger"
      {...(className !== undefined && { className })}
      action={
        <Button variant="secondary" size="small" className="min-h-11" onClick={onTryAgain}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  );
}

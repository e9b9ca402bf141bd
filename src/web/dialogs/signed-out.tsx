import { UnfinishedRegistration } from '../features/billing/unfinished-registration.tsx';
import { Button } from '../ui/basics/button.tsx';
import { useDialogs } from './dialogs.tsx';

/** A registration that this browser started and did not finish, and the dialogs that finish it. */
export function UnfinishedRegistrationBar({ className }: { className?: string }) {
  const { open } = useDialogs();
  return (
    <UnfinishedRegistration
      {...(className !== undefined && { className })}
      onPay={() => open({ name: 'payment' })}
      onRegister={() => open({ name: 'auth', tab: 'register' })}
      onSignIn={() => open({ name: 'auth', tab: 'login' })}
    />
  );
}

/** Replaces content that needs a signed-in user. */
export function SignedOut() {
  const { open } = useDialogs();
  return (
    <div className="mt-6 grid justify-items-start gap-6">
      <p className="max-w-xl text-lg text-ink-soft">
        You are signed out. What is yours is behind the sign-in.
      </p>
      <UnfinishedRegistrationBar />
      <Button onClick={() => open({ name: 'auth', tab: 'login' })}>Sign in</Button>
    </div>
  );
}

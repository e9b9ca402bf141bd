import { UnfinishedRegistration } from '../features/billing/unfinished-registration.tsx';
import { useDialogs } from './dialogs.tsx';

/** What this browser began, and the dialogs that bring it to its end. */
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

import { UnfinishedRegistration } from '../features/billing/unfinished-registration.tsx';
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

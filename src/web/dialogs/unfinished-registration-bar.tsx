import { UnfinishedRegistration } from '../features/billing/unfinished-registration.tsx';
import { useDialogs } from './dialogs.tsx';

/** Offers to finish a registration that was started in this browser, with the dialogs for that. */
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

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AuthDialog } from '../features/account/auth-dialog.tsx';
import { PaymentDialog } from '../features/billing/payment-dialog.tsx';
import { ComingSoonDialog } from '../features/waitlist/coming-soon-dialog.tsx';
import { WaitlistDialog } from '../features/waitlist/waitlist-dialog.tsx';
import { refreshPerson } from '../query.ts';
import { welcomeRegistered, welcomeUpgraded } from './land.ts';
import type { AuthTab, DialogRequest } from './which-dialog.ts';

export interface DialogHostProps {
  current: DialogRequest | null;
  onOpen: (request: DialogRequest) => void;
  onClose: () => void;
  /** The address that a payment starts with. */
  email: string | null;
  onEmail: (email: string) => void;
  /** Has the focus again when the last dialog closes. */
  opener: () => HTMLElement | null;
}

/** Every dialog of accounts, payment and the waitlist, and how one leads to another. Loaded with the first of them. */
export function DialogHost({ current, onOpen, onClose, email, onEmail, opener }: DialogHostProps) {
  const queries = useQueryClient();
  const [registrations, setRegistrations] = useState(0);
  const [tab, setTab] = useState<AuthTab>('login');

  // The tab outlives the dialog's closing, so that it does not flip while the sheet goes.
  const wanted = current?.name === 'auth' ? current.tab : tab;
  useEffect(() => setTab(wanted), [wanted]);

  const shared = (name: DialogRequest['name']) => ({
    open: current?.name === name,
    onOpenChange: (open: boolean) => {
      if (!open) onClose();
    },
    returnFocusTo: opener,
  });
  const registered = () => {
    setRegistrations((count) => count + 1);
    welcomeRegistered(onOpen);
  };

  return (
    <>
      <AuthDialog
        key={registrations}
        {...shared('auth')}
        tab={wanted}
        signedOut={current?.name === 'auth' && current.because === 'signed-out'}
        secondFactor={current?.name === 'auth' && current.because === 'second-factor'}
        onTabChange={(next) => onOpen({ ...(current?.name === 'auth' && current), name: 'auth', tab: next })}
        onSignedIn={onClose}
        onPaymentRequired={(address) => {
          onEmail(address);
          onOpen({ name: 'payment' });
        }}
      />
      <PaymentDialog
        {...shared('payment')}
        email={email}
        onPaid={async (kind): Promise<void> => {
          if (kind === 'registration') return registered();
          await refreshPerson(queries);
          onClose();
          welcomeUpgraded();
        }}
        onRegisterFirst={() => onOpen({ name: 'auth', tab: 'register' })}
      />
      <WaitlistDialog {...shared('waitlist')} />
      <ComingSoonDialog {...shared('coming-soon')} onNotify={() => onOpen({ name: 'waitlist' })} />
    </>
  );
}

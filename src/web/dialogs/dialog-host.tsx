import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AuthDialog } from '../features/account/auth-dialog.tsx';
import { PaymentDialog } from '../features/billing/payment-dialog.tsx';
import { WhyNow } from '../features/billing/why-now.tsx';
import { ComingSoonDialog } from '../features/waitlist/coming-soon-dialog.tsx';
import { WaitlistDialog } from '../features/waitlist/waitlist-dialog.tsx';
import { paymentQuery, refreshPerson } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import { welcomeRegistered, welcomeUpgraded } from './run-url-action.ts';
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
  const site = useSite();
  const comingSoon = site.premiumAvailability === 'coming-soon';
  const [registrations, setRegistrations] = useState(0);
  const [tab, setTab] = useState<AuthTab>('login');

  // Kept when the dialog closes, so that the tab does not flip during the animation.
  const wanted = current?.name === 'auth' ? current.tab : tab;
  if (wanted !== tab) setTab(wanted);

  const toWaitlist = () => onOpen({ name: 'waitlist' });
  const because =
    current !== null && 'because' in current && current.because === 'limit' ? current.because : undefined;
  const goOn = because && { because };
  const toRegister = () => {
    onOpen({ name: 'auth', tab: 'register', ...goOn });
    // The button that was pressed disappears with its tab.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[role=dialog] [role=tab][data-state=active]')?.focus(),
    );
  };
  const isAtLogin = current?.name === 'auth' && current.tab === 'login';
  const whyNow = because && (
    <WhyNow
      onWaitlist={comingSoon ? toWaitlist : undefined}
      onPremium={!comingSoon && isAtLogin ? toRegister : undefined}
    />
  );
  const shared = (name: DialogRequest['name']) => ({
    open: current?.name === name,
    onOpenChange: (open: boolean) => {
      if (!open) onClose();
    },
    returnFocusTo: opener,
  });
  const registered = () => {
    setRegistrations((count) => count + 1);
    void queries.invalidateQueries(paymentQuery);
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
          onOpen({ name: 'payment', ...goOn });
        }}
        whyNow={whyNow}
        onWaitlist={toWaitlist}
      />
      <PaymentDialog
        {...shared('payment')}
        email={email}
        onPaid={async (kind): Promise<void> => {
          if (kind === 'registration') return registered();
          await refreshPerson(queries);
          onClose();
          welcomeUpgraded(site);
        }}
        onRegisterFirst={() => onOpen({ name: 'auth', tab: 'register', ...goOn })}
        // A visitor who is asked to pay does not get the explanation to wait.
        whyNow={because && <WhyNow />}
        onWaitlist={toWaitlist}
      />
      <WaitlistDialog {...shared('waitlist')} whyNow={because && <WhyNow />} />
      <ComingSoonDialog
        {...shared('coming-soon')}
        onNotify={toWaitlist}
        onSignIn={() => onOpen({ name: 'auth', tab: 'login' })}
      />
    </>
  );
}

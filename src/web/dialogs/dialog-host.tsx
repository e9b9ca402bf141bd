import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AuthDialog } from '../features/account/auth-dialog.tsx';
import { LimitNotice } from '../features/billing/limit-notice.tsx';
import { PaymentDialog } from '../features/billing/payment-dialog.tsx';
import { ComingSoonDialog } from '../features/waitlist/coming-soon-dialog.tsx';
import { WaitlistDialog } from '../features/waitlist/waitlist-dialog.tsx';
import { paymentQuery, refreshPerson } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import type { AuthTab, DialogRequest } from './dialog-for.ts';
import { welcomeRegistered, welcomeUpgraded } from './run-url-action.ts';

export interface DialogHostProps {
  current: DialogRequest | null;
  onOpen: (request: DialogRequest) => void;
  onClose: () => void;
  /** The initial email address of the payment dialog. */
  email: string | null;
  onEmail: (email: string) => void;
  /** Returns the element that gets the focus when the last dialog closes. */
  opener: () => HTMLElement | null;
}

/** The dialogs of accounts, payment and the waitlist, and the transitions between them. Loaded when the first one opens. */
export function DialogHost({ current, onOpen, onClose, email, onEmail, opener }: DialogHostProps) {
  const queries = useQueryClient();
  const site = useSite();
  const comingSoon = site.premiumAvailability === 'coming-soon';
  const [registrations, setRegistrations] = useState(0);
  const [tab, setTab] = useState<AuthTab>('login');

  // Kept when the dialog closes, so that the tab does not flip during the animation.
  const shownTab = current?.name === 'auth' ? current.tab : tab;
  if (shownTab !== tab) setTab(shownTab);

  const toWaitlist = () => onOpen({ name: 'waitlist' });
  const limit =
    current !== null && 'reason' in current && current.reason === 'limit'
      ? { reason: current.reason }
      : undefined;
  const toRegister = () => {
    onOpen({ name: 'auth', tab: 'register', ...limit });
    // The pressed button disappears with its tab.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[role=dialog] [role=tab][data-state=active]')?.focus(),
    );
  };
  const isAtLogin = current?.name === 'auth' && current.tab === 'login';
  const limitNotice = limit && (
    <LimitNotice
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
  const onRegistered = () => {
    setRegistrations((count) => count + 1);
    void queries.invalidateQueries(paymentQuery);
    welcomeRegistered(onOpen);
  };

  return (
    <>
      <AuthDialog
        key={registrations}
        {...shared('auth')}
        tab={shownTab}
        signedOut={current?.name === 'auth' && current.reason === 'signed-out'}
        secondFactor={current?.name === 'auth' && current.reason === 'second-factor'}
        onTabChange={(next) => onOpen({ ...(current?.name === 'auth' && current), name: 'auth', tab: next })}
        onSignedIn={onClose}
        onPaymentRequired={(address) => {
          onEmail(address);
          onOpen({ name: 'payment', ...limit });
        }}
        limitNotice={limitNotice}
        onWaitlist={toWaitlist}
      />
      <PaymentDialog
        {...shared('payment')}
        email={email}
        onPaid={async (kind): Promise<void> => {
          if (kind === 'registration') return onRegistered();
          await refreshPerson(queries);
          onClose();
          welcomeUpgraded(site);
        }}
        onRegisterFirst={() => onOpen({ name: 'auth', tab: 'register', ...limit })}
        // In this dialog the notice does not suggest to wait.
        limitNotice={limit && <LimitNotice />}
        onWaitlist={toWaitlist}
      />
      <WaitlistDialog {...shared('waitlist')} limitNotice={limit && <LimitNotice />} />
      <ComingSoonDialog
        {...shared('coming-soon')}
        onNotify={toWaitlist}
        onSignIn={() => onOpen({ name: 'auth', tab: 'login' })}
      />
    </>
  );
}

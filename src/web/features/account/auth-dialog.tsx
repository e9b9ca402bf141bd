import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { User } from '#contract/account';
import { BRAND } from '#contract/product';
import { registration } from '../../api/client.ts';
import { refreshPerson, userQuery } from '../../session/queries.ts';
import { providerName, useSite } from '../../site/site.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { usePageRestored } from '../../ui/basics/browser-state.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { dismiss, toastError } from '../../ui/toast/toast-store.ts';
import { ForgotPasswordForm } from './forgot-password-form.tsx';
import type { LoginValues, RegisterValues } from './forms/form-check.ts';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const NO_LOGIN: LoginValues = { username: '', password: '' };
const NO_REGISTRATION: RegisterValues = { username: '', email: '', password: '', confirmation: '' };

interface AuthDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  tab: 'login' | 'register';
  /** The dialog opened because the session has ended. */
  signedOut: boolean;
  onTabChange: (tab: 'login' | 'register') => void;
  /** Start at the second step: a sign-in with the provider was the first. */
  secondFactor: boolean;
  /** Called after the user has signed in and the page shows the user. */
  onSignedIn: () => void;
  /** Called after a registration that has to be paid. */
  onPaymentRequired: (email: string) => void;
  /** Called from the form of a server without a payment provider, where only the waitlist is open. */
  onWaitlist: () => void;
  /** The reason, if the daily limit opened the dialog. */
  limitNotice: ReactNode;
  returnFocusTo: () => HTMLElement | null;
}

/**
 * Signing in and registering. Closing the dialog and errors keep the field values; success clears them. Change the `key`
 * when a payment has completed the registration.
 */
export function AuthDialog({
  open,
  onOpenChange,
  tab,
  signedOut,
  onTabChange,
  secondFactor,
  onSignedIn,
  onPaymentRequired,
  onWaitlist,
  limitNotice,
  returnFocusTo,
}: AuthDialogProps) {
  const { thirdPartySignIn } = useSite();
  const queries = useQueryClient();
  const [login, setLogin] = useState(NO_LOGIN);
  const [registration, setRegistration] = useState(NO_REGISTRATION);
  const [forgot, setForgot] = useState(false);
  const [waitsForCode, setWaitsForCode] = useState(secondFactor);
  const [previous, setPrevious] = useState(secondFactor);
  if (previous !== secondFactor) {
    setPrevious(secondFactor);
    setWaitsForCode(secondFactor);
  }

  const finish = async (response?: Response) => {
    // The toast with the reason for signing in, such as an ended session, no longer applies.
    dismiss();
    // The response has the user, so that the page shows the user even if the next call fails.
    const user = response ? await userIn(response) : null;
    if (user) queries.setQueryData(userQuery.queryKey, user);
    await refreshPerson(queries);
    setLogin(NO_LOGIN);
    setRegistration(NO_REGISTRATION);
    setWaitsForCode(false);
    onSignedIn();
  };
  const change = (next: boolean) => {
    if (!next) {
      setForgot(false);
      setWaitsForCode(false);
    }
    onOpenChange(next);
  };

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      returnFocusTo={returnFocusTo}
      title={forgot ? 'Set a new password' : `Welcome to ${BRAND.name}`}
      description={
        forgot
          ? 'We will mail you a link. It works once, for an hour.'
          : 'Accounts with a username and password are for premium subscribers.'
      }
    >
      {forgot ? (
        <ForgotPasswordForm onBack={() => setForgot(false)} />
      ) : (
        <>
          {signedOut && (
            <Alert tone="warning" className="mb-5" title="You were signed out. Sign in to continue.">
              The content of the page stays.
            </Alert>
          )}
          {limitNotice}
          {!waitsForCode && thirdPartySignIn !== null && (
            <>
              <ProviderButton demo={thirdPartySignIn === 'demo'} />
              <p className="my-5 flex items-center gap-4 text-sm text-ink-soft before:h-px before:flex-1 before:bg-rule after:h-px after:flex-1 after:bg-rule">
                or
              </p>
            </>
          )}
          <Tabs
            label="Login or register"
            value={tab}
            onValueChange={onTabChange}
            tabs={[
              {
                value: 'login',
                label: 'Login',
                content: waitsForCode ? (
                  <SecondFactorForm onSuccess={finish} onStartOver={() => setWaitsForCode(false)} />
                ) : (
                  <LoginForm
                    values={login}
                    onChange={setLogin}
                    onSuccess={finish}
                    onSecondFactor={() => setWaitsForCode(true)}
                    onForgot={() => setForgot(true)}
                  />
                ),
              },
              {
                value: 'register',
                label: 'Register',
                content: (
                  <RegisterForm
                    values={registration}
                    onChange={setRegistration}
                    onSuccess={() => finish()}
                    onPaymentRequired={onPaymentRequired}
                    onWaitlist={onWaitlist}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </Dialog>
  );
}

/** The user in a response; null if it has none. */
async function userIn(response: Response): Promise<User | null> {
  try {
    const { userResponseSchema } = await import('#contract/account');
    return userResponseSchema.parse(await response.json()).user;
  } catch {
    return null;
  }
}

function ProviderButton({ demo }: { demo: boolean }) {
  const { signInProvider } = useSite();
  const name = providerName(signInProvider);
  const [leaving, setLeaving] = useState(false);
  usePageRestored(() => setLeaving(false));
  const start = () => {
    try {
      location.assign(
        registration.address('GET /api/auth/:provider', { params: { provider: signInProvider } }),
      );
      setLeaving(true);
    } catch {
      toastError(`${name} authentication failed`);
    }
  };
  return (
    <>
      {demo && (
        <Alert tone="warning" title="Demo identity" className="mb-3">
          This server has no sign-in provider: you choose an identity.
        </Alert>
      )}
      <Button variant="secondary" className="w-full" busy={leaving} onClick={start}>
        Continue with {name}
      </Button>
    </>
  );
}

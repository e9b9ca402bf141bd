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
  /** It opened because the session has ended. */
  signedOut: boolean;
  onTabChange: (tab: 'login' | 'register') => void;
  /** Begin at the second step: a sign-in elsewhere was the first. */
  secondFactor: boolean;
  /** The user is signed in, and the page knows it. */
  onSignedIn: () => void;
  /** The registration is kept until it is paid for. */
  onPaymentRequired: (email: string) => void;
  /** Registration is closed: the waitlist is the alternative. */
  onWaitlist: () => void;
  /** Why it opened, if not by the visitor's own press. */
  whyNow: ReactNode;
  returnFocusTo: () => HTMLElement | null;
}

/**
 * Signing in and registering. Field values outlive closing the dialog and every error; success clears them. Give it
 * another `key` once a payment has completed the registration.
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
  whyNow,
  returnFocusTo,
}: AuthDialogProps) {
  const { thirdPartySignIn } = useSite();
  const queries = useQueryClient();
  const [login, setLogin] = useState(NO_LOGIN);
  const [registration, setRegistration] = useState(NO_REGISTRATION);
  const [forgot, setForgot] = useState(false);
  const [waitsForCode, setWaitsForCode] = useState(secondFactor);
  const [before, setBefore] = useState(secondFactor);
  if (before !== secondFactor) {
    setBefore(secondFactor);
    setWaitsForCode(secondFactor);
  }

  const finish = async (answer?: Response) => {
    // The reason, such as an ended session, no longer applies.
    dismiss();
    // Known from the answer already: they are signed in, even if they cannot be asked for now.
    const user = answer ? await userIn(answer) : null;
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
              What is on the page stays there.
            </Alert>
          )}
          {whyNow}
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

/** The user in an answer; null without one. */
async function userIn(answer: Response): Promise<User | null> {
  try {
    const { userResponseSchema } = await import('#contract/account');
    return userResponseSchema.parse(await answer.json()).user;
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
          This server has no sign-in provider: you choose who you are.
        </Alert>
      )}
      <Button variant="secondary" className="w-full" busy={leaving} onClick={start}>
        Continue with {name}
      </Button>
    </>
  );
}

import { useDialogs } from '../../dialogs/dialogs.tsx';
import { ResetPasswordForm } from '../../features/account/reset-password-form.tsx';
import { VerifyEmail } from '../../features/account/verify-email.tsx';
import type { Page } from '../../router/page.ts';
import { LetterPage, useHandedToken } from './letter-page.tsx';

function ResetPassword() {
  const { open } = useDialogs();
  return (
    <LetterPage
      title="Set a new password"
      intro="The link from our mail works once and for an hour."
      token={useHandedToken()}
    >
      {(token) => <ResetPasswordForm token={token} onSignIn={() => open({ name: 'auth', tab: 'login' })} />}
    </LetterPage>
  );
}

export const resetPasswordPage: Page = {
  Component: ResetPassword,
  meta: () => ({ title: 'Set a new password', description: 'Choose a new password for your account.' }),
};

function VerifyEmailAddress() {
  const { open } = useDialogs();
  return (
    <LetterPage
      title="Confirm your address"
      intro="Confirming lets you reset your password and keeps others from using your address."
      token={useHandedToken()}
    >
      {(token) => <VerifyEmail token={token} onSignIn={() => open({ name: 'auth', tab: 'login' })} />}
    </LetterPage>
  );
}

export const verifyEmailPage: Page = {
  Component: VerifyEmailAddress,
  meta: () => ({ title: 'Confirm your address', description: 'Confirm the address of your account.' }),
};

import { useDialogs } from '../../dialogs/dialogs.tsx';
import { ResetPasswordForm } from '../../features/account/reset-password-form.tsx';
import { VerifyEmail } from '../../features/account/verify-email.tsx';
import type { Page } from '../../router/page.ts';
import { MailLinkLayout, useMailedToken } from './mail-link-layout.tsx';

function ResetPassword() {
  const { open } = useDialogs();
  return (
    <MailLinkLayout
      title="Set a new password"
      intro="The link from our mail works once and for an hour."
      token={useMailedToken()}
    >
      {(token) => <ResetPasswordForm token={token} onSignIn={() => open({ name: 'auth', tab: 'login' })} />}
    </MailLinkLayout>
  );
}

export const resetPasswordPage: Page = {
  Component: ResetPassword,
  meta: () => ({ title: 'Set a new password', description: 'Choose a new password for your account.' }),
};

function VerifyEmailAddress() {
  const { open } = useDialogs();
  return (
    <MailLinkLayout
      title="Confirm your address"
      intro="Confirming lets you reset your password and keeps others from using your address."
      token={useMailedToken()}
    >
      {(token) => <VerifyEmail token={token} onSignIn={() => open({ name: 'auth', tab: 'login' })} />}
    </MailLinkLayout>
  );
}

export const verifyEmailPage: Page = {
  Component: VerifyEmailAddress,
  meta: () => ({ title: 'Confirm your address', description: 'Confirm the address of your account.' }),
};

import { useDialogs } from '../../dialogs/dialogs.tsx';
import { VerifyEmail } from '../../features/account/verify-email.tsx';
import type { Page } from '../../router/page.ts';
import { LetterPage, useHandedToken } from './letter-page.tsx';

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

export const page: Page = {
  Component: VerifyEmailAddress,
  meta: () => ({ title: 'Confirm your address', description: 'Confirm the address of your account.' }),
};

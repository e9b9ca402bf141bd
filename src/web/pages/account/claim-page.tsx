import { useState } from 'react';
import { useDialogs } from '../../dialogs/dialogs.tsx';
import { MailedClaim } from '../../features/billing/claim-form.tsx';
import type { Page } from '../../router/page.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { MailLinkLayout, useMailedToken } from './mail-link-layout.tsx';

function Claim() {
  const { open } = useDialogs();
  const [done, setDone] = useState(false);
  return (
    <MailLinkLayout
      title="Finish your registration"
      intro="Your payment has arrived. Meanwhile, someone else took the username or the address. Choose another one, and your premium account is ready."
      token={useMailedToken()}
    >
      {(token) =>
        done ? (
          <div className="grid justify-items-start gap-5">
            <Alert title="Registration Successful!">Please sign in with your new account.</Alert>
            <Button onClick={() => open({ name: 'auth', tab: 'login' })}>Sign in</Button>
          </div>
        ) : (
          <MailedClaim token={token} onDone={() => setDone(true)} />
        )
      }
    </MailLinkLayout>
  );
}

export const page: Page = {
  Component: Claim,
  meta: () => ({
    title: 'Finish your registration',
    description: 'Choose a username for an account that is already paid for.',
  }),
};

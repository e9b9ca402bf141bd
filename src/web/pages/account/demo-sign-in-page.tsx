import { useState } from 'react';
import { ACCOUNT_MESSAGES, emailProblem } from '#contract/account-rules';
import { PAGES } from '#contract/paths';
import { reasonOf, registration } from '../../api/client.ts';
import type { Page } from '../../router/page.ts';
import { useLocation } from '../../router/router.tsx';
import { providerName, useSite } from '../../site/site.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { usePageRestored } from '../../ui/basics/browser-state.ts';
import { Button, ButtonLink } from '../../ui/basics/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';

function DemoSignIn() {
  const { thirdPartySignIn, signInProvider } = useSite();
  const query = new URLSearchParams(useLocation().search);
  const [state, nonce, challenge] = ['state', 'nonce', 'challenge'].map((name) => query.get(name) ?? '');
  return (
    <div className="page-width py-10 md:py-16">
      <div className="mx-auto max-w-md">
        <h1 className="text-3xl">Demo identity</h1>
        {thirdPartySignIn === 'demo' && state && nonce && challenge ? (
          <>
            <Alert tone="warning" title="This is a demo" className="mt-5 mb-7">
              This server has no sign-in provider, so this page stands in for {providerName(signInProvider)}.
              There is no password check: choose any identity. This page exists on this machine only.
            </Alert>
            <ChoosePerson parameters={{ state, nonce, challenge }} provider={signInProvider} />
          </>
        ) : (
          <div className="mt-5 grid justify-items-start gap-5">
            <p className="text-ink-soft">
              There is nothing to do here. To sign in, use the button in the sign-in dialog.
            </p>
            <ButtonLink to={PAGES.home} variant="secondary">
              Back to the tool
            </ButtonLink>
          </div>
        )}
      </div>
    </div>
  );
}

interface ChoosePersonProps {
  /** The parameters of the sign-in; they are sent back unchanged. */
  parameters: { state: string; nonce: string; challenge: string };
  provider: string;
}

function ChoosePerson({ parameters, provider }: ChoosePersonProps) {
  const [name, setName] = useState('Demo Reader');
  const [email, setEmail] = useState('demo.reader@example.org');
  const [leaving, setLeaving] = useState(false);
  usePageRestored(() => setLeaving(false));
  const { formProps, busy, failure, errorOf } = useForm<'name' | 'email', string>({
    check: () => {
      if (name.trim() === '') return { message: ACCOUNT_MESSAGES.fillAll, fields: ['name'] };
      const problem = emailProblem(email);
      return problem === null ? null : { message: problem, fields: ['email'] };
    },
    send: async () =>
      (await registration.ask('POST /api/demo-sign-in', { body: { name, email, ...parameters } }))
        .redirectUrl,
    onSuccess: (url) => {
      setLeaving(true);
      location.assign(url);
    },
    explain: (error) => reasonOf(error, `${providerName(provider)} authentication failed`),
  });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        value={name}
        onValue={setName}
        error={errorOf('name')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        value={email}
        onValue={setEmail}
        error={errorOf('email')}
      />
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere>
          {failure}
        </Alert>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button type="submit" busy={busy || leaving}>
          Continue as this person
        </Button>
        <a
          href={`${registration.address('GET /api/auth/:provider/callback', { params: { provider } })}?error=access_denied`}
          className="text-link inline-flex min-h-11 items-center"
        >
          Cancel
        </a>
      </div>
    </form>
  );
}

export const page: Page = {
  Component: DemoSignIn,
  load: async ({ site }) => (site.thirdPartySignIn === 'demo' ? undefined : 404),
  meta: () => ({
    title: 'Demo identity',
    description: 'Replaces the sign-in provider on a demo server.',
  }),
};

import { useDialogs } from '../../dialogs/dialogs.tsx';
import { UnfinishedRegistrationBar } from '../../dialogs/unfinished-registration-bar.tsx';
import { Button } from '../../ui/basics/button.tsx';

/** Replaces content that needs a signed-in user. */
export function SignedOut() {
  const { open } = useDialogs();
  return (
    <div className="mt-6 grid justify-items-start gap-6">
      <p className="max-w-xl text-lg text-ink-soft">You are signed out. Sign in to see this page.</p>
      <UnfinishedRegistrationBar />
      <Button onClick={() => open({ name: 'auth', tab: 'login' })}>Sign in</Button>
    </div>
  );
}

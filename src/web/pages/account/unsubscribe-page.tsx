import { useMutation } from '@tanstack/react-query';
import { waitlist } from '../../api/client.ts';
import type { Page } from '../../router/page.ts';
import { useLocation } from '../../router/router.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { MailLinkLayout } from './mail-link-layout.tsx';

/** Asks for a confirmation, because mail programs open links automatically. */
function Unsubscribe({ token }: { token: string }) {
  const { mutate, isPending, isSuccess, isError } = useMutation({
    mutationFn: () => waitlist.send('POST /api/premium-interest/unsubscribe', { body: { token } }),
  });
  if (isSuccess) return <Alert title="Your address is off the list">We will not write to it again.</Alert>;
  return (
    <div className="grid justify-items-start gap-5">
      {isError && (
        <Alert tone="danger">
          That did not work. The link may be incomplete: open it from the mail again.
        </Alert>
      )}
      <Button busy={isPending} onClick={() => mutate()}>
        {isPending ? 'Unsubscribing...' : 'Take my address off the list'}
      </Button>
    </div>
  );
}

function UnsubscribePage() {
  const query = new URLSearchParams(useLocation().search);
  return (
    <MailLinkLayout
      title="Leave the waitlist"
      intro="We would have written once, on the day premium opens."
      token={query.get('token')}
    >
      {(token) => <Unsubscribe token={token} />}
    </MailLinkLayout>
  );
}

export const page: Page = {
  Component: UnsubscribePage,
  meta: () => ({ title: 'Leave the waitlist', description: 'Take your address off the waitlist.' }),
};

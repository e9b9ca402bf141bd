import { Unsubscribe } from '../../features/waitlist/unsubscribe.tsx';
import type { Page } from '../../router/page.ts';
import { useLocation } from '../../router/router.tsx';
import { LetterPage } from './letter-page.tsx';

function UnsubscribePage() {
  const query = new URLSearchParams(useLocation().search);
  return (
    <LetterPage
      title="Leave the waitlist"
      intro="We would have written once, on the day premium opens."
      token={query.get('token')}
    >
      {(token) => <Unsubscribe token={token} />}
    </LetterPage>
  );
}

export const page: Page = {
  Component: UnsubscribePage,
  meta: () => ({ title: 'Leave the waitlist', description: 'Take your address off the waitlist.' }),
};

import { isRouteErrorResponse, useRouteError } from 'react-router';
import { PAGES } from '#contract/paths';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ProofSheet } from './proof-sheet.tsx';

/** What is shown when a page fails to load or to draw itself. The details stay in the console. */
export function ErrorPage() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <ProofSheet
      title={missing ? 'Page Not Found' : 'This page did not come out right'}
      actions={
        <>
          {!missing && <Button onClick={() => location.reload()}>Try again</Button>}
          <ButtonLink to={PAGES.home} variant={missing ? 'primary' : 'secondary'}>
            Back to the tool
          </ButtonLink>
        </>
      }
    >
      {missing
        ? 'There is nothing at this address any more, or there never was.'
        : 'Something failed while it was being set. Loading it again usually helps; if not, the rest of the site still works.'}
    </ProofSheet>
  );
}

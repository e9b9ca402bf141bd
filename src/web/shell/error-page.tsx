import { PAGES } from '#contract/paths';
import { Button, ButtonLink } from '../ui/basics/button.tsx';
import { ProofSheet } from '../ui/basics/proof-sheet.tsx';

/** Shown when a page fails to load or to render. The details are in the console. */
export function ErrorPage() {
  return (
    <ProofSheet
      title="This page did not come out right"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try again</Button>
          <ButtonLink to={PAGES.home} variant="secondary">
            Back to the tool
          </ButtonLink>
        </>
      }
    >
      Something failed while it was being set. Loading it again usually helps; if not, the rest of the site
      still works.
    </ProofSheet>
  );
}

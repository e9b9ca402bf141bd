import { PAGES } from '#contract/paths';
import type { Page } from '../router/page.ts';
import { useLocation } from '../router/router.tsx';
import { ButtonLink } from '../ui/basics/button.tsx';
import { ErrorPageLayout } from '../ui/basics/error-page-layout.tsx';

function NotFound() {
  const { pathname } = useLocation();
  return (
    <ErrorPageLayout
      title="Page Not Found"
      note="Did you forget to add the page to the router?"
      line={
        <>
          <span className="text-ink-soft">GET </span>
          <mark className="doubted text-inherit">{pathname}</mark>
        </>
      }
      actions={
        <>
          <ButtonLink to={PAGES.home}>Back to the tool</ButtonLink>
          <ButtonLink to={PAGES.blog} variant="secondary">
            Read the blog
          </ButtonLink>
        </>
      }
    >
      There is no page at this address. It may have moved, or the marked part has a typo.
    </ErrorPageLayout>
  );
}

export const page: Page = {
  Component: NotFound,
  status: 404,
  meta: () => ({ title: 'Page Not Found', description: 'There is no page at this address.' }),
};

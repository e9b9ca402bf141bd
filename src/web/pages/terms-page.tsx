import { BRAND } from '#contract/brand';
import { PAGES } from '#contract/paths';
import { breadcrumbs } from '../head.ts';
import type { Page } from '../page.ts';
import { useSite } from '../site.tsx';
import { longDate } from './long-date.ts';
import { TextPage } from './text-page.tsx';

const TITLE = 'Terms of Service';

function TermsOfService() {
  const { now } = useSite();
  return (
    <TextPage title={TITLE} dateline={`Last updated: ${longDate(now)}`}>
      <p>
        By using {BRAND.name} you accept these terms. If you do not agree with them, please do not use the
        service.
      </p>
      <p>
        {BRAND.name} turns pictures of text into text. Anyone may use it free of charge within the daily
        limit; a premium plan raises that limit. Premium credentials are for one person and must not be
        shared.
      </p>
    </TextPage>
  );
}

export const page: Page = {
  Component: TermsOfService,
  meta: ({ site }) => ({
    title: TITLE,
    description: 'The terms under which Glyphlift may be used, free or with a premium plan.',
    path: PAGES.terms,
    jsonLd: [breadcrumbs(site, [{ name: TITLE, path: PAGES.terms }])],
  }),
};

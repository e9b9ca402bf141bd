import { PAGES } from '#contract/paths';
import { breadcrumbs } from '../head.ts';
import type { Page } from '../page.ts';
import { useSite } from '../site.tsx';
import { longDate } from './long-date.ts';
import { TextPage } from './text-page.tsx';

const TITLE = 'Refund Policy';

function RefundPolicy() {
  const { now } = useSite();
  return (
    <TextPage title={TITLE} dateline={`Last updated: ${longDate(now)}`}>
      <p>
        All payments are final, and there are no refunds. You can cancel at any time by writing to support;
        your premium access then stays until the end of the billing cycle.
      </p>
      <p>
        If a charge looks wrong to you, please raise it within 30 days. Service credits are possible for
        extended outages.
      </p>
    </TextPage>
  );
}

export const page: Page = {
  Component: RefundPolicy,
  meta: ({ site }) => ({
    title: TITLE,
    description: 'How payments, cancellations and disputes are handled at Glyphlift.',
    path: PAGES.refund,
    jsonLd: [breadcrumbs(site, [{ name: TITLE, path: PAGES.refund }])],
  }),
};

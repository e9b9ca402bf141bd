import { PAGES } from '#contract/paths';
import { breadcrumbs } from '../head.ts';
import type { Page } from '../page.ts';
import { useSite } from '../site.tsx';
import { longDate } from './long-date.ts';
import { TextPage } from './text-page.tsx';

const TITLE = 'Privacy Policy';

function PrivacyPolicy() {
  const { now } = useSite();
  return (
    <TextPage title={TITLE} dateline={`Last updated: ${longDate(now)}`}>
      <p>
        Your pictures are not stored permanently. They are held in memory while their text is read, and
        deleted after extraction. They are not used to train any model without your consent.
      </p>
      <p>
        To count free extractions we set a temporary cookie. You may ask us at any time what we hold about
        you, and have it corrected or deleted.
      </p>
    </TextPage>
  );
}

export const page: Page = {
  Component: PrivacyPolicy,
  meta: ({ site }) => ({
    title: TITLE,
    description: 'What Glyphlift keeps, what it forgets, and who else is involved.',
    path: PAGES.privacy,
    jsonLd: [breadcrumbs(site, [{ name: TITLE, path: PAGES.privacy }])],
  }),
};

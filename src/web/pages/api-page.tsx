import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { describedApi, descriptionQuery } from '../features/developers/described-calls.ts';
import { serverOnly } from '../hydration/lazy.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';

const CallReference = serverOnly(
  async () => (await import('../features/developers/call-reference.tsx')).CallReference,
);

export const page: Page = {
  Component: CallReference,
  parts: [CallReference],
  dataStaysInMarkup: true,
  async load({ queryClient, data }) {
    await queryClient.prefetchQuery({
      ...descriptionQuery,
      queryFn: async () => describedApi(await data.description()),
    });
    return undefined;
  },
  meta: ({ site }) => ({
    title: 'For developers: every call',
    description: `Every call of ${BRAND.name}: what it takes, what it answers, who may make it and how it can fail.`,
    path: PAGES.developers,
    jsonLd: [breadcrumbs(site, [{ name: 'For developers', path: PAGES.developers }])],
  }),
};

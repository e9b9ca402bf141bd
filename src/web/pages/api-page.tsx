import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { describedApi, descriptionQuery } from '../features/developers/described-calls.ts';
import { withoutHydration } from '../hydration/lazy.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';

const CallReference = withoutHydration(
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
    title: 'For developers: API reference',
    description: `Every call of the ${BRAND.name} API: its request, its responses, its access rules and its errors.`,
    path: PAGES.developers,
    jsonLd: [breadcrumbs(site, [{ name: 'For developers', path: PAGES.developers }])],
  }),
};

import { PAGES } from '#contract/paths';
import { BRAND } from '#contract/product';
import { readLanguagesQuery } from '../features/languages/read-languages.ts';
import { withoutHydration } from '../hydration/lazy.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';

const LanguageTable = withoutHydration(
  async () => (await import('../features/languages/language-table.tsx')).LanguageTable,
);

export const page: Page = {
  Component: LanguageTable,
  parts: [LanguageTable],
  dataStaysInMarkup: true,
  async load({ queryClient, data }) {
    await queryClient.prefetchQuery({ ...readLanguagesQuery, queryFn: () => data.languages() });
    return undefined;
  },
  meta: ({ site }) => ({
    title: 'Languages, and how well each is read',
    description: `Every language that ${BRAND.name} reads here, with its character error rate in clean print and in a worn copy of it.`,
    path: PAGES.languages,
    jsonLd: [breadcrumbs(site, [{ name: 'Languages', path: PAGES.languages }])],
  }),
};

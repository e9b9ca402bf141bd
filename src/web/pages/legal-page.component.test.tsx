import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { openApplication } from '../../../tests/component/application.tsx';

test.each([
  { path: PAGES.terms, title: 'Terms of Service', sections: 9 },
  { path: PAGES.privacy, title: 'Privacy Policy', sections: 10 },
  { path: PAGES.refund, title: 'Refund Policy', sections: 9 },
])(
  'legal page: $title has $sections sections, today’s date and a link back to the app',
  async ({ path, title, sections }) => {
    const { router } = await openApplication(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(title);
    expect(page.getByRole('heading', { level: 2 }).elements()).toHaveLength(sections);
    await expect.element(page.getByText('Last updated')).toHaveTextContent('Last updated: May 4, 2026');
    const text = page.getByRole('main').element().textContent;
    expect(text).toContain('words@glyphlift.example');
    expect(text).not.toContain('{{');
    await expectAccessible();
    await page.getByRole('link', { name: 'Back to App' }).click();
    await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeInTheDocument();
    expect(router.current().location.pathname).toBe(PAGES.home);
  },
);

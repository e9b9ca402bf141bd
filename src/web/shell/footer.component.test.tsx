import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { openApplication } from '../../../tests/component/application.tsx';

const footer = () => page.getByRole('contentinfo');

test.each([
  [1440, 900],
  [768, 1024],
  [600, 900],
  [375, 812],
])(
  'footer: at %i px it links to blog, languages, developers and legal pages, shows support address and year, and fits the width',
  async (width, height) => {
    await page.viewport(width, height);
    await openApplication('/no-such-page');
    for (const [name, path] of [
      ['Blog', PAGES.blog],
      ['Languages', PAGES.languages],
      ['Developers', PAGES.developers],
      ['Terms of Service', PAGES.terms],
      ['Privacy Policy', PAGES.privacy],
      ['Refund Policy', PAGES.refund],
    ] as const) {
      await expect.element(footer().getByRole('link', { name })).toHaveAttribute('href', path);
    }
    await expect
      .element(footer().getByRole('link', { name: 'words@glyphlift.example' }))
      .toHaveAttribute('href', 'mailto:words@glyphlift.example');
    await expect.element(footer().getByText('© 2026 Glyphlift')).toBeVisible();
    for (const part of footer().element().querySelectorAll('p, a')) {
      const { left, right } = part.getBoundingClientRect();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
    }
    const tops = [...footer().element().querySelectorAll('nav')].map(
      (nav) => nav.getBoundingClientRect().top,
    );
    expect(new Set(tops).size, 'the lists of links are side by side').toBe(1);
    // On a short page the footer is still at the lower edge of the window.
    expect(footer().element().getBoundingClientRect().bottom).toBeGreaterThanOrEqual(height);
  },
);

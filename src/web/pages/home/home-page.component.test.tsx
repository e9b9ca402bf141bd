import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openApplication } from '../../../../tests/component/application.tsx';

const SAID = [
  'Free Use',
  'Multiple Formats',
  'Multi-Language Support',
  '95%+',
  'average confidence',
  '5+',
  'image formats',
  'under 5s',
  'processing time',
  'Quick Tips',
  'Use high-resolution images',
  'Ensure good lighting and contrast',
  'Crop to the text areas',
];

test.each([
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 375, height: 812, colorScheme: 'light' },
] as const)(
  'start page: shows every section, fits and is accessible at $width px in the $colorScheme scheme',
  async ({ width, height, colorScheme }) => {
    await page.viewport(width, height);
    await commands.emulateMedia({ colorScheme });
    await openApplication(PAGES.home, { stillParts: true });
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.element(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeInViewport();
    for (const text of SAID)
      await expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText('Free users get 3 extractions daily.')).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Upgrade for upto 1500 extractions per month' }))
      .toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  },
);

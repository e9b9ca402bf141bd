import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openApplication } from '../../../../tests/component/application.tsx';

const TEXTS = [
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
    await openApplication(PAGES.home, { staticParts: true });
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.element(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeInViewport();
    for (const text of TEXTS)
      await expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText('Free users get 3 extractions daily.')).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Upgrade for upto 1500 extractions per month' }))
      .toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  },
);

test.each([1920, 1440, 768, 600, 375])(
  'start page: at %i px the tagline is directly below the headline and left-aligned with it',
  async (width) => {
    await page.viewport(width, 900);
    await openApplication(PAGES.home, { staticParts: true });
    const headline = page.getByRole('heading', { level: 1 });
    await expect.element(headline).toBeVisible();
    const [above, tagline] = [
      headline.element().getBoundingClientRect(),
      page
        .getByText(/^Free image to text \(OCR\)/)
        .element()
        .getBoundingClientRect(),
    ];
    expect(tagline.left).toBe(above.left);
    expect(tagline.top - above.bottom).toBeGreaterThanOrEqual(0);
    expect(tagline.top - above.bottom).toBeLessThan(32);
  },
);

test.each(['light', 'dark'] as const)(
  'start page: in the %s scheme "Extract Text" without a picture looks disabled, and not like a second drop zone',
  async (colorScheme) => {
    await commands.emulateMedia({ colorScheme });
    await openApplication(PAGES.home, { staticParts: true });
    const button = page.getByRole('button', { name: 'Extract Text' });
    await expect.element(button).toBeDisabled();
    const { borderTopWidth, backgroundColor, backgroundImage } = getComputedStyle(button.element());
    expect(borderTopWidth).toBe('0px');
    expect(backgroundImage).toBe('none');
    const sheet = getComputedStyle(document.querySelector('.drop-zone')!.closest('form')!);
    expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
    expect(backgroundColor).not.toBe(sheet.backgroundColor);
    // An enabled button has the text color as its background.
    expect(backgroundColor).not.toBe(getComputedStyle(document.body).color);
  },
);

import { PAGES } from '#contract/paths';
import { expect, test } from './test.ts';

test.describe('the home page @every-width', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`shows every section in the ${colorScheme} scheme, fits its width, and axe finds nothing`, async ({
      page,
      expectAccessible,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(PAGES.home);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeInViewport();
      for (const text of [
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
      ]) {
        await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
      }
      await expect(page.getByText('Free users get 3 extractions daily.')).toBeVisible();
      await expect(
        page.getByRole('link', { name: 'Upgrade for upto 1500 extractions per month' }),
      ).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        page.viewportSize()!.width,
      );
      await expectAccessible();
    });
  }

  test('reserves the space of each advertisement in its size', async ({ page }) => {
    await page.goto(PAGES.home);
    const isPhone = page.viewportSize()!.width < 768;
    const sizes = {
      leaderboard: [728, 90],
      banner: [728, 90],
      rectangle: [300, 250],
      mobile: [320, 50],
    } as const;
    for (const [format, [width, height]] of Object.entries(sizes)) {
      for (const slot of await page.locator(`[data-ad-format=${format}]`).all()) {
        const isShown = format === 'rectangle' || (format === 'mobile') === isPhone;
        await expect(slot).toBeVisible({ visible: isShown });
        if (!isShown) continue;
        const box = await slot.boundingBox();
        expect(box?.height).toBe(height);
        expect(box?.width).toBeLessThanOrEqual(width);
      }
    }
  });

  test('ends in a footer with the legal pages, the support address and the year', async ({ page }) => {
    await page.goto(PAGES.home);
    const footer = page.getByRole('contentinfo');
    for (const [name, path] of [
      ['Terms of Service', PAGES.terms],
      ['Privacy Policy', PAGES.privacy],
      ['Refund Policy', PAGES.refund],
    ] as const) {
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', path);
    }
    await expect(footer.getByRole('link', { name: 'words@glyphlift.example' })).toHaveAttribute(
      'href',
      'mailto:words@glyphlift.example',
    );
    await expect(footer.getByText(`© ${new Date().getUTCFullYear()} Glyphlift`)).toBeVisible();
  });
});

test.use({ settings: { SUPPORT_EMAIL: 'words@glyphlift.example' } });

test.describe('the navigation bar', () => {
  test('marks the link of the page one is on, Home only on an exact match', async ({ page }) => {
    const bar = page.getByRole('navigation', { name: 'Main', exact: true });
    const current = bar.locator('[aria-current=page]');
    await page.goto(PAGES.home);
    await expect(current).toHaveText(['Home']);
    await bar.getByRole('link', { name: 'Blog' }).click();
    await expect(current).toHaveText(['Blog']);
    await page.getByRole('article').first().getByRole('link').click();
    await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current', 'page');
    await bar.getByRole('link', { name: 'Premium' }).click();
    await expect(current).toHaveText(['Premium']);
  });

  test('stays at the top, and the keyboard can skip it', async ({ page }) => {
    await page.goto(PAGES.home);
    await page.mouse.wheel(0, 2000);
    await expect(page.getByRole('banner')).toBeInViewport();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await expect(skip).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });

  test.describe('below 768 px', () => {
    test.use({ viewport: { width: 375, height: 812 } });

    test('opens its links by a button; choosing one, Escape and a press outside close them', async ({
      page,
    }) => {
      await page.goto(PAGES.home);
      const list = page.getByRole('navigation', { name: 'Main, small screen' });
      const button = page.getByRole('button', { name: /menu$/ });
      await expect(list).toBeHidden();
      await button.click();
      await expect(list.getByRole('link')).toContainText(['Home', 'Blog', 'Premium']);
      await list.getByRole('link', { name: 'Blog' }).click();
      await expect(page).toHaveURL(PAGES.blog);
      await expect(list).toBeHidden();
      await button.click();
      await page.keyboard.press('Escape');
      await expect(list).toBeHidden();
      await expect(button).toBeFocused();
      await button.click();
      await page.mouse.click(180, 700);
      await expect(list).toBeHidden();
    });
  });
});

test.describe('an unknown path @every-width', () => {
  test.use({ expectedConsole: [/404/] });

  test('answers 404 with "Page Not Found" and a hint for developers', async ({ page, expectAccessible }) => {
    const response = await page.goto('/no/such/page?with=query');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
    await expectAccessible();
  });
});

test.describe('toasts', () => {
  const reject = async (page: import('@playwright/test').Page) => {
    await page.goto(PAGES.home);
    await page.waitForFunction(() => !('earlyWatch' in window));
    // The region comes with the first deed; a toast's five seconds begin when it is there.
    await page.keyboard.press('Shift');
    await page.locator('.toast-viewport').waitFor({ state: 'attached' });
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('no picture'),
      });
    return page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
  };

  test('show one at a time, for five seconds, in at most 420 px', async ({ page }) => {
    await page.clock.install();
    const toast = await reject(page);
    await expect(toast).toContainText('Invalid file type');
    expect((await toast.boundingBox())!.width).toBeLessThanOrEqual(420);
    await page.clock.fastForward(4_500);
    await expect(toast).toHaveCount(1);
    await page.clock.fastForward(1_500);
    await expect(toast).toHaveCount(0);
  });

  test('get the focus by F8', async ({ page }) => {
    const toast = await reject(page);
    await expect(toast).toBeVisible();
    await page.keyboard.press('F8');
    await expect(page.locator('.toast-viewport')).toBeFocused();
  });

  test('go when they are swiped 50 px to the right, and not when less', async ({ page }) => {
    const toast = await reject(page);
    await expect(toast).toBeVisible();
    const swipe = async (distance: number) => {
      const { x, y } = (await toast.boundingBox())!;
      await page.mouse.move(x + 20, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + 20 + distance, y + 20, { steps: 8 });
      await page.mouse.up();
    };
    await swipe(35);
    await expect(toast).toHaveCount(1);
    await swipe(70);
    await expect(toast).toHaveCount(0);
  });
});

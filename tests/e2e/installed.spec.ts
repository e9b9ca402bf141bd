import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { INSTALLED, PAGES } from '#contract/paths';
import { NOTE, note } from './extraction-page.ts';
import { becomeMember, open, PATIENT, untilItListens } from './people.ts';
import { expect, test } from './test.ts';

test.use({
  settings: PATIENT,
  serviceWorkers: 'allow',
  expectedConsole: [/net::ERR_(INTERNET_DISCONNECTED|FAILED)|503/],
});

const text = (page: Page) => page.getByRole('textbox', { name: 'Extracted text' });
const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });

/** Until the worker keeps the tool; a page that is loaded from then on is answered through it. */
async function install(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(PAGES.home);
  await untilItListens(page);
  // The worker comes when the page has had time for everything else.
  await page.clock.fastForward(10_000);
  await page.clock.resume();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** All that the worker has kept: addresses, and the text of what is no picture or font. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const kept: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        const { pathname } = new URL(request.url);
        kept.push({ path: pathname, text: /\.woff2$/.test(pathname) ? '' : ((await answer?.text()) ?? '') });
      }
    }
    return kept;
  });

test.describe('the installed tool', () => {
  test('has what a browser asks of an app: a name, icons of their sizes, and where it begins', async ({
    page,
    request,
  }) => {
    const manifest = await (await request.get('/site.webmanifest')).json();
    expect(manifest).toMatchObject({ id: '/', start_url: '/', display: 'standalone' });
    expect(manifest.share_target).toMatchObject({ action: INSTALLED.share, method: 'POST' });
    expect(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable')).toBe(true);
    await page.goto(PAGES.home);
    for (const { src, sizes } of manifest.icons) {
      const width = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image.naturalWidth;
      }, src);
      if (sizes !== 'any') expect(`${width}x${width}`).toBe(sizes);
    }
  });

  test('opens without a network, says so, and shows what this browser keeps', async ({ page, context }) => {
    await install(page);
    await page.locator('input[type=file]').setInputFiles(NOTE);
    await page.getByRole('button', { name: 'Extract Text' }).click();
    await expect(text(page)).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
    await expect(recent(page)).toContainText('The text above is kept.');

    await context.setOffline(true);
    await page.goto(PAGES.home);
    await expect(page.getByRole('status').filter({ hasText: 'You are offline.' })).toBeVisible();
    await recent(page).getByRole('button', { name: 'Open' }).click();
    await expect(text(page)).toHaveValue(/Harbour Lane Bakery/);
    await text(page).press('Control+Home');
    await page.keyboard.type('At the ');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await expect(recent(page)).toContainText('The text above is kept.');

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Load the page' }).click();
    await untilItListens(page);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
    await recent(page).getByRole('button', { name: 'Open' }).click();
    await expect(text(page)).toHaveValue(/^At the Harbour/);
  });

  test('says of any other page that it is not kept', async ({ page, context }) => {
    await install(page);
    await context.setOffline(true);
    await page.goto(PAGES.blog);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    await page.getByRole('link', { name: 'Open the tool' }).click();
    await expect(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeVisible();
  });

  test('keeps no page of somebody who is signed in, and nothing that the API answers', async ({
    page,
    context,
  }) => {
    await open(page);
    await becomeMember(page, 'worker-watcher');
    await install(page);
    await page.goto(PAGES.account);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(PAGES.home);
    const kept = await keptBy(page);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter(({ path }) => path !== PAGES.home && !path.startsWith('/assets/'))).toEqual([]);
    expect(kept.filter(({ text }) => text.includes('worker-watcher'))).toEqual([]);
    await context.setOffline(true);
    await page.goto(PAGES.home);
    await expect(page.getByRole('button', { name: 'Premium Sign In' })).toBeVisible();
    await expect(page.getByText('worker-watcher')).toHaveCount(0);
  });

  test('takes a picture from the share sheet, chosen and not sent', async ({ page }) => {
    await install(page);
    await page.reload();
    await untilItListens(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().endsWith(INSTALLED.share)) sent.push(request.url());
    });
    await page.evaluate(
      ({ action, name, type, base64 }) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'POST', enctype: 'multipart/form-data' });
        const field = document.createElement('input');
        Object.assign(field, { type: 'file', name: 'picture' });
        const files = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        files.items.add(new File([bytes], name, { type }));
        field.files = files.files;
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      {
        action: INSTALLED.share,
        name: 'geteilt ä.png',
        type: note.type,
        base64: readFileSync(NOTE).toString('base64'),
      },
    );
    await expect(page.getByText('geteilt ä.png')).toBeVisible();
    await expect(page).toHaveURL(PAGES.home);
    await expect(page.getByRole('button', { name: 'Extract Text' })).toBeEnabled();
    expect(sent).toEqual([]);
    expect(await page.evaluate(() => caches.has('shared-picture'))).toBe(false);
    await page.reload();
    await untilItListens(page);
    await expect(page.getByText('geteilt ä.png')).toHaveCount(0);
  });
});

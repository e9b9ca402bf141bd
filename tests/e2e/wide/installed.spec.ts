import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { INSTALLED, PAGES } from '#contract/paths';
import { NOTE, note } from '../extraction-page.ts';
import { HIGH_RATE_LIMITS, open, signInButton, toastOf, waitForHydration } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: HIGH_RATE_LIMITS,
  serviceWorkers: 'allow',
  expectedConsole: [/net::ERR_(INTERNET_DISCONNECTED|FAILED)|503|status of 403/],
});

/** Waits until the service worker has stored the tool. It serves every page that is loaded afterwards. */
async function install(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(PAGES.home);
  await waitForHydration(page);
  // The page registers the worker last.
  await page.clock.fastForward(10_000);
  await page.clock.resume();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

test.describe('the installed tool', () => {
  test('installed: the manifest has a start URL, a share target and icons of the declared sizes', async ({
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

  test('installed: offline, any other page shows that it is not available and links to the tool', async ({
    page,
    context,
  }) => {
    await install(page);
    await context.setOffline(true);
    await page.goto(PAGES.blog);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    await page.getByRole('link', { name: 'Open the tool' }).click();
    await expect(page.getByText('Supports PNG, JPG, WebP • Max 10MB')).toBeVisible();
  });
});

/** Sends a form with files to `/share` from the open page, as the system's share sheet or another site does. */
async function share(
  page: Page,
  origin: string,
  files: { name: string; bytes: number | string }[],
): Promise<void> {
  await page.evaluate(
    ({ action, files, type }) => {
      const form = document.createElement('form');
      Object.assign(form, { action, method: 'POST', enctype: 'multipart/form-data' });
      const field = document.createElement('input');
      Object.assign(field, { type: 'file', name: 'picture' });
      const chosen = new DataTransfer();
      for (const { name, bytes } of files) {
        const content =
          typeof bytes === 'number'
            ? new Uint8Array(bytes)
            : Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
        chosen.items.add(new File([content], name, { type }));
      }
      field.files = chosen.files;
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    { action: `${origin}${INSTALLED.share}`, files, type: note.type },
  );
}

const NOTE_BASE64 = readFileSync(NOTE).toString('base64');
const shared = (page: Page) => page.getByRole('region', { name: 'Shared pictures' });
const isKept = (page: Page) => page.evaluate(() => caches.has('shared-picture'));

test('share target: a shared picture is offered first, and is chosen but not sent after "Take"', async ({
  page,
  baseURL,
  expectAccessible,
}) => {
  await install(page);
  await page.reload();
  await waitForHydration(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().endsWith(INSTALLED.share)) sent.push(request.url());
  });
  await share(page, baseURL!, [{ name: 'geteilt ä.png', bytes: NOTE_BASE64 }]);
  await expect(shared(page)).toContainText('Take 1 shared picture?');
  await expect(shared(page)).toContainText('geteilt ä.png');
  await expect(page).toHaveURL(PAGES.home);
  await expect(page.getByRole('button', { name: 'Extract Text' })).toBeDisabled();
  expect(await isKept(page)).toBe(false);
  await expectAccessible();
  await shared(page).getByRole('button', { name: 'Take' }).click();
  await expect(shared(page)).toHaveCount(0);
  await expect(page.getByText('geteilt ä.png')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Extract Text' })).toBeEnabled();
  expect(sent).toEqual([]);
});

test('share target: after "Discard", and after a reload without an answer, the pictures are deleted', async ({
  page,
  baseURL,
}) => {
  await install(page);
  await page.reload();
  await waitForHydration(page);
  const files = ['a.png', 'b.png'].map((name) => ({ name, bytes: NOTE_BASE64 }));
  await share(page, baseURL!, files);
  await expect(shared(page)).toContainText('Take 2 shared pictures?');
  await shared(page).getByRole('button', { name: 'Discard' }).click();
  await expect(shared(page)).toHaveCount(0);
  await expect(page.getByText('a.png')).toHaveCount(0);
  expect(await isKept(page)).toBe(false);

  await waitForHydration(page);
  await share(page, baseURL!, files);
  await expect(shared(page)).toContainText('Take 2 shared pictures?');
  await page.reload();
  await waitForHydration(page);
  await expect(shared(page)).toHaveCount(0);
  expect(await isKept(page)).toBe(false);
});

for (const { what, files } of [
  {
    what: 'eleven pictures',
    files: Array.from({ length: 11 }, (_, number) => ({ name: `${number}.png`, bytes: 10 })),
  },
  {
    what: 'more than 50 MB',
    files: Array.from({ length: 6 }, (_, number) => ({ name: `${number}.png`, bytes: 9 * 1024 ** 2 })),
  },
]) {
  test(`share target: ${what} are rejected with a message, and nothing is stored`, async ({
    page,
    baseURL,
  }) => {
    await install(page);
    await page.reload();
    await waitForHydration(page);
    await share(page, baseURL!, files);
    await expect(shared(page)).toContainText('At most 10 pictures and 50 MB can be shared at once.');
    await expect(shared(page).getByRole('button', { name: 'Take' })).toHaveCount(0);
    expect(await isKept(page)).toBe(false);
    await shared(page).getByRole('button', { name: 'Close' }).click();
    await expect(shared(page)).toHaveCount(0);
  });
}

test('share target: a form of another site is rejected, and its pictures are neither stored nor offered', async ({
  page,
  baseURL,
}) => {
  const neighbor = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Neighbor</title>');
  });
  await new Promise<void>((resolve) => neighbor.listen(0, '127.0.0.1', resolve));
  try {
    await install(page);
    await page.goto(`http://localhost:${(neighbor.address() as AddressInfo).port}/`);
    const answer = page.waitForResponse((response) => response.url().endsWith(INSTALLED.share));
    await share(page, baseURL!, [{ name: 'planted.png', bytes: NOTE_BASE64 }]);
    expect((await answer).status()).toBe(403);
    await open(page);
    expect(await isKept(page)).toBe(false);
    await expect(page.getByText('planted.png')).toHaveCount(0);
  } finally {
    neighbor.closeAllConnections();
    await new Promise((resolve) => neighbor.close(resolve));
  }
});

test.describe('service worker and sign-in', () => {
  test.use({ settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' } });

  test('service worker: sign-in by the demo identity works in a controlled page and requests each URL once', async ({
    page,
    server,
  }) => {
    await install(page);
    await page.reload();
    await waitForHydration(page);
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const before = server.log().length;
    await signInButton(page).click();
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await waitForHydration(page);
    await page.getByLabel('Name').fill('Controlled');
    await page.getByLabel('Email').fill('controlled@example.org');
    await page.getByRole('button', { name: 'Continue as this person' }).click();
    await expect(page.getByTestId('payment-modal').getByLabel('Email')).toHaveValue('controlled@example.org');
    await expect(toastOf(page)).toContainText('Payment Required');
    const asked = server
      .log()
      .slice(before)
      .split('\n')
      .flatMap((line) => line.match(/"path":"(\/api\/auth[^"]*)"/)?.[1] ?? []);
    expect(asked.toSorted()).toEqual(['/api/auth/:provider', '/api/auth/:provider/callback']);
  });

  test('service worker: a new worker disables the navigation preload that an older worker enabled', async ({
    page,
    context,
  }) => {
    const isPreloading = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        return (await registration.navigationPreload.getState()).enabled;
      });
    await context.route('**/sw.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload.enable()));
addEventListener('fetch', () => {});`,
      }),
    );
    await install(page);
    await expect.poll(isPreloading).toBe(true);
    await context.unroute('**/sw.js');
    await page.goto(PAGES.home);
    await waitForHydration(page);
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update();
    });
    // A new worker waits until all pages of the old one are closed.
    await expect
      .poll(async () => {
        await page.goto('about:blank');
        await page.goto(PAGES.home);
        return isPreloading();
      })
      .toBe(false);
  });
});

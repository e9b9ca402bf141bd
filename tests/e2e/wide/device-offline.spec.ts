import { PAGES } from '#contract/paths';
import { NOTE, openTool } from '../extraction-page.ts';
import { expect, test } from '../test.ts';

const TIMEOUT_MS = 120_000;

// The browser notes each call that finds no network.
test.use({ serviceWorkers: 'allow', expectedConsole: [/ERR_INTERNET_DISCONNECTED/] });

test('read on this device: once it has read, it reads without a network too, and is counted later', async ({
  page,
  context,
}) => {
  test.setTimeout(3 * TIMEOUT_MS);
  await openTool(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const readHere = async () => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    const device = page.getByRole('switch', { name: 'Read on this device' });
    if (!(await device.isChecked())) await device.click();
    await expect(page.getByRole('progressbar', { name: /Fetching/ })).toBeHidden({ timeout: TIMEOUT_MS });
    await tool.extract.click();
    await expect(page.getByText('Read on this device: the picture was not sent.')).toBeVisible({
      timeout: TIMEOUT_MS,
    });
  };
  await readHere();
  // Parts of the workspace come after the text.
  const scripts = () =>
    page.evaluate(async () => {
      const kept = await (await caches.open('device-engine')).keys();
      return kept.map(({ url }) => url).join(' ');
    });
  await expect.poll(scripts, { timeout: TIMEOUT_MS }).toMatch(/found-tables/);
  await context.setOffline(true);
  await readHere();
  // The kept start page has its headers, so the detector has its threads.
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  const usage = () => page.evaluate(async () => (await (await fetch('/api/usage')).json()).imageCount);
  await context.setOffline(false);
  // Nothing is pressed for it.
  await expect.poll(usage, { timeout: TIMEOUT_MS }).toBe(2);

  // What could not be counted then is with the next page, whichever it is.
  await page.evaluate(() => localStorage.setItem('uncounted-readings', crypto.randomUUID()));
  await page.goto(PAGES.premium);
  await expect.poll(usage, { timeout: TIMEOUT_MS }).toBe(3);
  expect(await page.evaluate(() => localStorage.getItem('uncounted-readings'))).toBeNull();
});

import { PAGES } from '#contract/paths';
import { DEVICE_TIMEOUT_MS, deviceSwitch, expectEngine, expectReadOnDevice } from '../device-reading.ts';
import { NOTE, openTool } from '../extraction-page.ts';
import { expect, test } from '../test.ts';

// The browser notes each call that finds no network.
test.use({ serviceWorkers: 'allow', expectedConsole: [/ERR_INTERNET_DISCONNECTED/] });

test('read on this device: once it has read, it reads without a network too, and is counted later', async ({
  page,
  context,
}) => {
  test.setTimeout(3 * DEVICE_TIMEOUT_MS);
  await openTool(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const readHere = async () => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    const device = deviceSwitch(page);
    if (!(await device.isChecked())) await device.click();
    await expectEngine(page);
    await tool.extract.click();
    await expectReadOnDevice(page);
  };
  await readHere();
  // Parts of the workspace come after the text.
  const scripts = () =>
    page.evaluate(async () => {
      const kept = await (await caches.open('device-engine')).keys();
      return kept.map(({ url }) => url).join(' ');
    });
  await expect.poll(scripts, { timeout: DEVICE_TIMEOUT_MS }).toMatch(/found-tables/);
  await context.setOffline(true);
  await readHere();
  // The kept start page has its headers, so the detector has its threads.
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  const usage = () => page.evaluate(async () => (await (await fetch('/api/usage')).json()).imageCount);
  await context.setOffline(false);
  // Nothing is pressed for it.
  await expect.poll(usage, { timeout: DEVICE_TIMEOUT_MS }).toBe(2);

  // What could not be counted then is with the next page, whichever it is.
  await page.evaluate(() => localStorage.setItem('uncounted-readings', crypto.randomUUID()));
  await page.goto(PAGES.premium);
  await expect.poll(usage, { timeout: DEVICE_TIMEOUT_MS }).toBe(3);
  expect(await page.evaluate(() => localStorage.getItem('uncounted-readings'))).toBeNull();
});

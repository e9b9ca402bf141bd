import { PAGES } from '#contract/paths';
import { DEVICE_TIMEOUT_MS, deviceSwitch, expectEngine, expectReadOnDevice } from '../device-reading.ts';
import { NOTE, openTool } from '../extraction-page.ts';
import { expect, test } from '../test.ts';

// Chromium logs each failed request.
test.use({ serviceWorkers: 'allow', expectedConsole: [/ERR_INTERNET_DISCONNECTED/] });

test('read on this device: after the first picture it also reads offline, and the extraction is counted later', async ({
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
  // Parts of the workspace load after the text.
  const scripts = () =>
    page.evaluate(async () => {
      const kept = await (await caches.open('device-engine')).keys();
      return kept.map(({ url }) => url).join(' ');
    });
  await expect.poll(scripts, { timeout: DEVICE_TIMEOUT_MS }).toMatch(/found-tables/);
  await context.setOffline(true);
  await readHere();
  // The cached page keeps its isolation header, so WebAssembly threads work offline.
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  const usage = () => page.evaluate(async () => (await (await fetch('/api/usage')).json()).imageCount);
  await context.setOffline(false);
  // This needs no user action.
  await expect.poll(usage, { timeout: DEVICE_TIMEOUT_MS }).toBe(2);

  // The next page that loads sends pending reports, whatever page it is.
  await page.evaluate(() => localStorage.setItem('uncounted-readings', crypto.randomUUID()));
  await page.goto(PAGES.premium);
  await expect.poll(usage, { timeout: DEVICE_TIMEOUT_MS }).toBe(3);
  expect(await page.evaluate(() => localStorage.getItem('uncounted-readings'))).toBeNull();
});

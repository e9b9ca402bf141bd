import { join } from 'node:path';
import type { Worker } from '@playwright/test';
import { countOnDevice } from '#contract/calls/recognition';
import { DEVICE_TIMEOUT_MS, deviceSwitch, expectEngine, expectReadOnDevice } from '../device-reading.ts';
import { NOTE, openTool } from '../extraction-page.ts';
import { expect, test } from '../test.ts';

const HEIC = join(import.meta.dirname, '../../fixtures/pictures/upright.heic');
test('read on this device: no request contains the picture or its text, the text equals that of the server, and the extraction is counted', async ({
  page,
}) => {
  test.setTimeout(2 * DEVICE_TIMEOUT_MS);
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  const byServer = await tool.text.inputValue();
  await tool.choose(NOTE);

  const sent: { path: string; bytes: number }[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET')
      sent.push({ path: new URL(request.url()).pathname, bytes: request.postDataBuffer()?.length ?? 0 });
  });
  const started: Worker[] = [];
  page.on('worker', (worker) => started.push(worker));
  const device = deviceSwitch(page);
  await device.click();
  await expectEngine(page);
  await tool.extract.click();
  await expectReadOnDevice(page);
  expect(await tool.text.inputValue()).toBe(byServer);
  expect(sent).toEqual([{ path: countOnDevice.path, bytes: 0 }]);
  const usage = await page.evaluate(async () => (await fetch('/api/usage')).json());
  expect(usage.imageCount).toBe(2);

  // The workers inherit the isolation of the document, so that the detector has a thread for each core.
  const isIsolated = () => globalThis.crossOriginIsolated;
  expect(await page.evaluate(isIsolated)).toBe(true);
  const named = (name: string) => started.filter((worker) => worker.url().includes(name));
  const engine = [...named('device-worker'), ...named('recognizer-worker')];
  expect(engine.length).toBeGreaterThan(1);
  for (const worker of engine) expect(await worker.evaluate(isIsolated), worker.url()).toBe(true);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(named('ort-wasm-simd-threaded')).toHaveLength(Math.min(2, cores) - 1);
  // The policy of the threads allows no network either.
  const reach = () => fetch('/api/usage').then(String, String);
  for (const worker of engine) expect(await worker.evaluate(reach)).toContain('Failed to fetch');

  // The downloaded files can be removed before a picture is chosen.
  await page.getByRole('button', { name: 'Upload Another Image' }).click();
  await openTool(page);
  await page.getByRole('button', { name: 'Remove its files from this device' }).click();
  await expect(device).not.toBeChecked();
  expect(await page.evaluate(() => caches.has('device-engine'))).toBe(false);
});

test('read on this device: a worker that is loaded on demand decodes a HEIC, and nothing is sent', async ({
  page,
}) => {
  test.setTimeout(2 * DEVICE_TIMEOUT_MS);
  const sent: string[] = [];
  const decoders: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') sent.push(pathname);
    if (pathname.includes('/heic-worker-')) decoders.push(pathname);
  });
  const tool = await openTool(page);
  const device = deviceSwitch(page);
  await tool.choose(NOTE);
  await device.click();
  await expectEngine(page);
  expect(decoders).toEqual([]);
  await tool.choose(HEIC);
  await expect(device).toHaveAccessibleDescription(/HEIC takes 0\.5 MB more/);
  await tool.extract.click();
  await expectReadOnDevice(page);
  expect(await tool.text.inputValue()).toContain('Harbour lights');
  expect(decoders).toHaveLength(1);
  expect(sent).toEqual([countOnDevice.path]);
});

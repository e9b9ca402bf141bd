import { randomFillSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';
import { extractText } from '#contract/calls/recognition';
import { ENGINE_PIXELS, MAX_IMAGE_BYTES } from '#contract/product';
import { fixture } from '../../support/pictures.ts';
import { NOTE, openTool, recordPercentages } from '../extraction-page.ts';
import { imageCount } from '../file-list.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

/** A photo of a note on rough paper, which does not compress well. */
async function roughPhoto(width: number, height: number): Promise<Sharp> {
  const grain = 4;
  const raw = { width: width / grain, height: height / grain, channels: 3 } as const;
  const noise = randomFillSync(Buffer.alloc(raw.width * raw.height * 3)).map((value) => 190 + value / 4);
  const paper = await sharp(noise, { raw }).resize(width, height).raw().toBuffer();
  const words = `<svg width="${width}" height="${height}"><rect x="10%" y="10%" width="80%" height="40%" fill="white"/>
    <text x="15%" y="25%" font-size="${width / 16}">Harbour Lane Bakery</text>
    <text x="15%" y="40%" font-size="${width / 16}">Open until seven</text></svg>`;
  return sharp(paper, { raw: { ...raw, width, height } }).composite([{ input: Buffer.from(words) }]);
}

/** Limits the upload speed of the browser. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

test('sending: a large photo is rotated and scaled down with visible progress, and its words have their positions in the original', async ({
  page,
}) => {
  const tool = await openTool(page);
  const upright = await (await roughPhoto(4000, 3000)).png({ compressionLevel: 1 }).toBuffer();
  // Stored sideways with an Exif orientation, like a photo of a camera.
  const buffer = await sharp(upright)
    .rotate(-90)
    .jpeg({ quality: 97 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect(buffer.length).toBeLessThan(MAX_IMAGE_BYTES);
  const loaded = page.waitForResponse(/send-with-progress/);
  await tool.file.setInputFiles({ name: 'sideways.jpg', mimeType: 'image/jpeg', buffer });
  await loaded;
  await slowDown(page, 400_000);
  const percentages = await recordPercentages(page);
  const answering = page.waitForResponse((response) => response.url().endsWith(extractText.path));
  await tool.extract.click();
  await expect(page.getByText(/^Sending \d\.\d of \d\.\d MB$/)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Half of your picture is sent' })).toBeAttached();
  const { image } = await (await answering).json();
  expect(image.width * image.height).toBeLessThan(1.001 * ENGINE_PIXELS);
  expect(image.width / image.height).toBeCloseTo(4 / 3, 2);

  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
  const shown = await percentages();
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(shown.filter((percentage) => percentage > 0 && percentage < 50).length).toBeGreaterThan(3);
  const result = page.getByRole('region', { name: 'Extracted text' });
  await expect(result.getByText('sideways.jpg', { exact: true })).toBeVisible();
  await expect(result.getByText(`${(buffer.length / 1024 ** 2).toFixed(2)} MB`)).toBeVisible();
  await expect(page.locator('svg.word-boxes')).toHaveAttribute('viewBox', '0 0 4000 3000');
  await expect(page.getByText('This picture is very large and was scaled down to be read.')).toBeVisible();
  // The first line begins at 15% of the width.
  const word = page.locator('.word-boxes rect[data-piece="0"]');
  expect(Number(await word.getAttribute('x'))).toBeGreaterThan(0.13 * 4000);
  expect(Number(await word.getAttribute('x'))).toBeLessThan(0.18 * 4000);
});

test('sending: after ten seconds without a response "Try again" is offered, sends the same key, and counts once', async ({
  page,
}) => {
  await page.clock.install();
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await page.route('**/api/extractions/*/events', () => {});
  const keys: (string | undefined)[] = [];
  await page.route(`**${extractText.path}`, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    // The first request is never answered.
    if (keys.length > 1) await route.continue();
  });
  await tool.extract.click();
  await expect.poll(() => keys.length).toBe(1);
  const silence = page.getByText(
    /for 10 seconds\. The response may still come\. You can try again: it is counted once/,
  );
  // The clock also runs between the jumps.
  await page.clock.fastForward(5_000);
  await expect(silence).toHaveCount(0);
  await page.clock.fastForward(5_000);
  await expect(silence).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(silence).toHaveCount(0);
  await expect(tool.text).toHaveValue(/rye bread/, { timeout: 30_000 });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
  expect(await imageCount(page)).toBe(1);
});

test.describe('HEIC', () => {
  // Playwright's trace recorder fetches the picture that the browser could not decode, and the content policy blocks it.
  test.use({ expectedConsole: [/Connecting to 'blob:/] });

  test('sending: a HEIC named JPG is shown as a server preview, and read', async ({ page }) => {
    const tool = await openTool(page);
    await tool.file.setInputFiles({
      name: 'holiday.jpg',
      mimeType: 'image/jpeg',
      buffer: fixture('upright.heic'),
    });
    const preview = page.getByRole('img', { name: 'Preview of holiday.jpg' });
    await expect
      .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 20_000 })
      .toBeGreaterThan(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await tool.read();
    await expect(tool.text).toHaveValue(/Harbour lights/i);
  });
});

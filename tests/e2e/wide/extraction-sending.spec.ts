import { randomFillSync } from 'node:crypto';
import type { Page } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';
import { extractText } from '#contract/calls/recognition';
import { ENGINE_PIXELS, MAX_IMAGE_BYTES } from '#contract/product';
import { fixture } from '../../support/pictures.ts';
import {
  chooseInDialog,
  dropFiles,
  haveCamera,
  NOTE,
  note,
  openTool,
  recordPercentages,
} from '../extraction-page.ts';
import { open, PATIENT } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: PATIENT });

/** A photo of a note on rough paper, which no compression makes small; the grain is of so many pixels. */
async function roughPhoto(width: number, height: number, grain = 1): Promise<Sharp> {
  const raw = { width: width / grain, height: height / grain, channels: 3 } as const;
  const noise = randomFillSync(Buffer.alloc(raw.width * raw.height * 3)).map((value) => 190 + value / 4);
  const paper = await sharp(noise, { raw }).resize(width, height).raw().toBuffer();
  const words = `<svg width="${width}" height="${height}"><rect x="10%" y="10%" width="80%" height="40%" fill="white"/>
    <text x="15%" y="25%" font-size="${width / 16}">Harbour Lane Bakery</text>
    <text x="15%" y="40%" font-size="${width / 16}">Open until seven</text></svg>`;
  return sharp(paper, { raw: { ...raw, width, height } }).composite([{ input: Buffer.from(words) }]);
}

/** A real picture that is as large as it has to be: what follows a PNG's end is not looked at. */
function padded(size: number) {
  const buffer = Buffer.alloc(size);
  note.bytes.copy(buffer);
  return { name: 'more.png', mimeType: 'image/png', buffer };
}

/** How fast what is sent leaves, in bytes a second. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

test('on a slow line the page tells how much has left, then what is done with it, and never goes back', async ({
  page,
}) => {
  const tool = await openTool(page);
  const buffer = await (await roughPhoto(1000, 800)).jpeg({ quality: 97 }).toBuffer();
  const loaded = page.waitForResponse(/send-with-progress/);
  await tool.file.setInputFiles({ name: 'rough.jpg', mimeType: 'image/jpeg', buffer });
  await loaded;
  await slowDown(page, buffer.length / 3);
  const percentages = await recordPercentages(page);
  const all = (buffer.length / 1024 ** 2).toFixed(1);
  await tool.extract.click();
  await expect(
    page.getByText(new RegExp(`^Sending \\d\\.\\d of ${all.replace('.', '\\.')} MB$`)),
  ).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Half of your picture is sent' })).toBeAttached();
  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/, { timeout: 30_000 });
  const shown = await percentages();
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  expect(shown.filter((percentage) => percentage > 0 && percentage < 50).length).toBeGreaterThan(3);
});

test('a picture with more pixels than are looked at leaves smaller, upright, and its text lies where it is in the chosen one', async ({
  page,
}) => {
  const tool = await openTool(page);
  const buffer = await (await roughPhoto(4000, 3000, 4))
    .png({ compressionLevel: 1 })
    .toBuffer()
    // Held sideways, as a camera notes it.
    .then((upright) =>
      sharp(upright).rotate(-90).jpeg({ quality: 97 }).withMetadata({ orientation: 6 }).toBuffer(),
    );
  expect(buffer.length).toBeLessThan(MAX_IMAGE_BYTES);
  await tool.file.setInputFiles({ name: 'sideways.jpg', mimeType: 'image/jpeg', buffer });
  const answering = page.waitForResponse((response) => response.url().endsWith(extractText.path));
  await tool.read();
  const { image } = await (await answering).json();
  expect(image.width * image.height).toBeLessThan(1.001 * ENGINE_PIXELS);
  expect(image.width / image.height).toBeCloseTo(4 / 3, 2);

  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
  const result = page.getByRole('region', { name: 'Extracted text' });
  await expect(result.getByText('sideways.jpg', { exact: true })).toBeVisible();
  await expect(result.getByText(`${(buffer.length / 1024 ** 2).toFixed(2)} MB`)).toBeVisible();
  await expect(page.locator('svg.word-boxes')).toHaveAttribute('viewBox', '0 0 4000 3000');
  await expect(page.getByText('This picture is very large and was scaled down to be read.')).toBeVisible();
  // A sixth of the first line from the left, a quarter of the page from the top.
  const word = page.locator('.word-boxes rect[data-piece="0"]');
  expect(Number(await word.getAttribute('x'))).toBeGreaterThan(0.13 * 4000);
  expect(Number(await word.getAttribute('x'))).toBeLessThan(0.18 * 4000);
});

test('a picture over ten megabytes can be scaled down by the keyboard, and is chosen then', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.file.setInputFiles(padded(MAX_IMAGE_BYTES + 1));
  await expect(tool.toast).toContainText('File too large');
  await expect(tool.toast).toContainText('Please select an image smaller than 10MB');
  const offer = page.getByRole('alert').getByRole('button', { name: 'Scale it down' });
  await expect(offer).toBeVisible();
  await tool.file.focus();
  for (let tabs = 0; tabs < 10; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await offer.evaluate((button) => button === document.activeElement)) break;
  }
  await expect(offer).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('more.png', { exact: true })).toBeVisible();
  await expect(page.getByText(/^0\.0\d MB$/)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await tool.read();
  await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
});

test('after ten seconds without a word the page says so, and trying again is read and counted once', async ({
  page,
}) => {
  await page.clock.install();
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await page.route('**/api/extractions/*/events', () => {});
  const keys: (string | undefined)[] = [];
  await page.route(`**${extractText.path}`, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    // The first is never heard of again.
    if (keys.length > 1) await route.continue();
  });
  await tool.extract.click();
  await expect.poll(() => keys.length).toBe(1);
  const silence = page.getByText(/for 10 seconds\. The answer may still come; trying again costs nothing/);
  // Between its leaps the clock goes on, and on a busy machine for more than a moment.
  await page.clock.fastForward(5_000);
  await expect(silence).toHaveCount(0);
  await page.clock.fastForward(5_000);
  await expect(silence).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(silence).toHaveCount(0);
  await expect(tool.text).toHaveValue(/rye bread/, { timeout: 30_000 });
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect(await (await page.request.get('/api/usage')).json()).toMatchObject({ imageCount: 1 });
});

/** A refused picture, and what records a test for whoever looks into its failure fetches what could not be drawn, and may not. */
const RECORDER = /415|Connecting to 'blob:/;

test.describe('a file that is something else', () => {
  test.use({ expectedConsole: [RECORDER] });

  test('is told what it is, with the way on, beside the toast', async ({ page }) => {
    const tool = await openTool(page);
    await tool.file.setInputFiles({
      name: 'letter.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\n'),
    });
    await expect(tool.toast).toContainText('Please select an image file (PNG, JPG, WebP)');
    const complaint = page.getByRole('alert').filter({ hasText: 'Invalid file type' });
    await expect(complaint).toContainText('This is a PDF. Its pages can be read as pictures');

    // By its name a picture, and not refused for it: whether it can be read is for the server to say.
    await tool.file.setInputFiles({
      name: 'letter.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('%PDF-1.7\n'),
    });
    await expect(page.getByRole('alert').filter({ hasText: 'This is a PDF' })).toBeVisible();
    await expect(tool.extract).toBeEnabled();
  });

  test('by its name, and a picture in truth, is taken as one', async ({ page }) => {
    const tool = await openTool(page);
    await tool.file.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: note.bytes });
    await expect(tool.toast).toContainText('Invalid file type');
    await expect(page.getByRole('alert')).toContainText('this is a PNG picture');
    await page.getByRole('button', { name: 'Take it as a picture' }).click();
    await expect(page.getByText('note.txt', { exact: true })).toBeVisible();
    await tool.read();
    await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
  });
});

test.describe('an HEIC', () => {
  test.use({ expectedConsole: [RECORDER] });

  test('that is called a JPG is shown and read', async ({ page }) => {
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

test.describe('a file that is held above the page', () => {
  test('has the whole window for a target, wherever somebody has scrolled to @every-width', async ({
    page,
  }) => {
    await openTool(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByText('Drop a picture here')).not.toBeInViewport();
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      return transfer;
    });
    const footer = page.getByRole('contentinfo');
    await footer.dispatchEvent('dragenter', { dataTransfer: files });
    await expect(page.getByText('Let go to read this picture')).toBeInViewport();
    await footer.dispatchEvent('dragleave', { dataTransfer: files });
    await expect(page.getByText('Let go to read this picture')).toHaveCount(0);
    await dropFiles(footer, [note]);
    await expect(page.getByText('note.png', { exact: true })).toBeAttached();
  });

  test('opens the tool when it is let go on another page', async ({ page }) => {
    await open(page, '/blog');
    const loaded = page.waitForResponse(/drop-elsewhere/);
    // Held above the page it is what the page waits for.
    await page.getByRole('heading', { level: 1 }).dispatchEvent('dragenter');
    await loaded;
    await expect(async () => {
      await dropFiles(page.getByRole('heading', { level: 1 }), [note]);
      await expect(page).toHaveURL('/', { timeout: 1000 });
    }).toPass();
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Extract Text' })).toBeEnabled();
  });
});

test.describe('what a finger can do', () => {
  test('is not offered to a mouse', async ({ page }) => {
    await haveCamera(page);
    await openTool(page);
    await expect(page.getByRole('button', { name: 'Take a photo' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Paste a picture' })).toBeHidden();
  });

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

    test('is to take a photo, where there is a camera', async ({ page }) => {
      await openTool(page);
      await expect(page.getByRole('button', { name: 'Paste a picture' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Take a photo' })).toBeHidden();
      await haveCamera(page);
      await openTool(page);
      await chooseInDialog(page, () => page.getByRole('button', { name: 'Take a photo' }).tap(), NOTE);
      await expect(page.getByText('note.png', { exact: true })).toBeVisible();
    });

    test('is to paste a picture, and to hear it where there is none', async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const tool = await openTool(page);
      await page.evaluate(() => navigator.clipboard.writeText('no picture'));
      const paste = page.getByRole('button', { name: 'Paste a picture' });
      await paste.tap();
      await expect(tool.toast).toContainText('Copy a picture first');
      await page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const picture = new Blob([bytes], { type: 'image/png' });
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
      }, note.bytes.toString('base64'));
      await paste.tap();
      await expect(page.getByText('pasted.png', { exact: true })).toBeVisible();
      await tool.read();
      await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
    });
  });
});

test('a toast leaves with the next thing that is pressed, and not while somebody only looks', async ({
  page,
}) => {
  const tool = await openTool(page);
  const shown = tool.toast.and(page.locator('[data-state=open]'));
  await tool.file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
  await expect(shown).toContainText('Invalid file type');
  // While the window is not looked at it stays as long as it is left to.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.getByRole('heading', { level: 1 }).click();
  await expect(shown).toHaveCount(1);
  await page.getByRole('switch', { name: 'Smart Text Filtering' }).click();
  await expect(shown).toHaveCount(0);
});

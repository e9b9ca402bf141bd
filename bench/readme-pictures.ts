/**
 * `npm run bench:readme`: records the README's still and moving pictures, light and dark, from the built product with its own
 * engine: a receipt is uploaded, a doubtful word is corrected, the text is copied. Writes to `docs/images`.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openPage, receipt, type Staged, stage } from './staged.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
/** CSS pixels of the recording, and the width of the stored picture. */
const SEEN = { width: 1280, height: 800 };
const KEPT_WIDTH = 960;
const RESULT = '[data-extraction] section:has(.text-editor)';
/** Of the moving picture in each color scheme. */
const MAX_BYTES = 750_000;

interface Frame {
  picture: Buffer;
  /** Its duration in milliseconds. */
  lasts: number;
}

mkdirSync(FOLDER, { recursive: true });
const staged = await stage({ PREMIUM_AVAILABILITY: 'available' });
try {
  for (const scheme of ['light', 'dark'] as const) await film(staged, scheme);
} finally {
  await staged.stop();
}

async function film({ browser, url }: Staged, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    viewport: SEEN,
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await openPage(page, url);
  const suffix = colorScheme === 'dark' ? '-dark' : '';
  const frames: Frame[] = [];
  const take = async (lasts: number) => {
    await page.mouse.move(5, 5);
    await page.waitForTimeout(400);
    frames.push({ picture: await page.screenshot(), lasts });
  };
  const toastGone = () => page.locator('.toast').waitFor({ state: 'hidden', timeout: 30_000 });

  await take(1400);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await receipt());
  await page.getByRole('img', { name: /Preview of/ }).waitFor();
  await atTop(page, '[data-extraction]');
  await take(1400);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await page.getByRole('progressbar').waitFor();
  await atTop(page, '[data-extraction]');
  frames.push({ picture: await page.screenshot(), lasts: 900 });
  await page.getByRole('textbox', { name: 'Extracted text' }).waitFor({ timeout: 120_000 });
  await toastGone();
  await atTop(page, RESULT);
  await take(2000);
  await page.screenshot({ path: join(FOLDER, `workspace${suffix}.png`) });
  await page.keyboard.press('F2');
  await page.getByRole('button', { name: 'Looks right' }).waitFor();
  await atTop(page, RESULT);
  await take(2600);
  await page.keyboard.type('C6');
  await page.keyboard.press('Enter');
  await atTop(page, RESULT);
  await take(1600);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.locator('.toast').waitFor();
  await take(2600);
  await context.close();

  const small = await Promise.all(
    frames.map(({ picture }) => sharp(picture).resize({ width: KEPT_WIDTH }).png().toBuffer()),
  );
  const file = join(FOLDER, `main-job${suffix}.webp`);
  await sharp(small, { join: { animated: true } })
    .webp({ delay: frames.map(({ lasts }) => lasts), loop: 0, quality: 82, effort: 6 })
    .toFile(file);
  const { size } = statSync(file);
  console.log(`${file}: ${frames.length} frames, ${Math.round(size / 1000)} kB`);
  if (size > MAX_BYTES) throw new Error('That is too much for the top of a README');
}

function atTop(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(
    `document.querySelector('${selector}')?.scrollIntoView({ block: 'start', behavior: 'instant' })`,
  );
}

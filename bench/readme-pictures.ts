/**
 * `npm run bench:readme`: records the README's images and animations, light and dark, with the built product: a receipt is
 * uploaded, a doubtful word is corrected, and the text is copied. Writes to `docs/images`.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openPage, receipt, type Staged, stage } from './staged.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
/** Size of the recording in CSS pixels, and the width of the stored image. */
const VIEWPORT = { width: 1280, height: 800 };
const STORED_WIDTH = 960;
const RESULT = '[data-extraction] section:has(.text-editor)';
/** Maximum size of an animation. */
const MAX_BYTES = 750_000;

interface Frame {
  picture: Buffer;
  /** Its duration in milliseconds. */
  durationMs: number;
}

mkdirSync(FOLDER, { recursive: true });
const staged = await stage({ PREMIUM_AVAILABILITY: 'available' });
try {
  for (const scheme of ['light', 'dark'] as const) await record(staged, scheme);
} finally {
  await staged.stop();
}

async function record({ browser, url }: Staged, colorScheme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await openPage(page, url);
  const suffix = colorScheme === 'dark' ? '-dark' : '';
  const frames: Frame[] = [];
  const take = async (durationMs: number) => {
    await page.mouse.move(5, 5);
    await page.waitForTimeout(400);
    frames.push({ picture: await page.screenshot(), durationMs });
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
  frames.push({ picture: await page.screenshot(), durationMs: 900 });
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
    frames.map(({ picture }) => sharp(picture).resize({ width: STORED_WIDTH }).png().toBuffer()),
  );
  const file = join(FOLDER, `main-job${suffix}.webp`);
  await sharp(small, { join: { animated: true } })
    .webp({ delay: frames.map(({ durationMs }) => durationMs), loop: 0, quality: 82, effort: 6 })
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

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { headlessChromiumPath } from '../scripts/test-programs.mjs';
import { freePort } from '../tests/support/free-port.ts';
import { answering } from './answering.ts';

export interface Staged {
  url: string;
  browser: Browser;
  stop: () => Promise<void>;
}

/** Starts the built product with a new data folder, and a browser. Also applies the settings to this process. */
export async function stage(settings: Readonly<Record<string, string>>): Promise<Staged> {
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'glyphlift-staged-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  Object.assign(process.env, {
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: '10000',
    ADDRESS_LIMIT_FACTOR: '100',
    ...settings,
  });
  const server = spawn(process.execPath, ['dist/node/server/main.js'], { stdio: 'ignore' });
  const browser = await chromium.launch({
    executablePath: headlessChromiumPath(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  await answering(`${url}/readyz`);
  return {
    url,
    browser,
    async stop() {
      await browser.close();
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The receipt of the start page as a blurred phone picture, in which C6 is misread and doubtful. */
export const receipt = async (name = 'receipt.jpg') => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp('src/web/pages/home/figures/receipt-900.webp')
    .resize({ width: 400 })
    .blur(0.6)
    .jpeg({ quality: 45 })
    .toBuffer(),
});

const LISTENS = `(() => {
  const link = document.querySelector('header a');
  if (!link) return true;
  return Object.keys(link).some((key) => key.startsWith('__reactProps')) && !('earlyCapture' in window);
})()`;

/** Opens a page and waits until it is interactive. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  while (!(await page.evaluate<boolean>(LISTENS))) await page.waitForTimeout(50);
}

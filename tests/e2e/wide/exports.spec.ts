import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openTool } from '../extraction-page.ts';
import { FAILED_REQUESTS, HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

/* Formats whose code is loaded on demand. Component tests cannot test this, because their modules stay loaded. */

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

const ORDER = join(import.meta.dirname, '..', 'fixtures', 'order.png');

/** Reads an order and corrects an article in its table. */
async function readOrder(page: Page) {
  const tool = await openTool(page);
  await tool.choose(ORDER);
  await tool.read();
  await tool.text.fill((await tool.text.inputValue()).replace('Green tea', 'Black tea'));
  return tool;
}

const more = (page: Page) => page.getByRole('button', { name: 'More formats' });
const item = (page: Page, name: string) =>
  page.getByRole('menu', { name: 'More formats' }).getByRole('menuitem', { name: new RegExp(`^${name}`) });

test('more formats: when the code of a format cannot be loaded, the text stays and "Try again" downloads the file', async ({
  page,
}) => {
  const tool = await readOrder(page);
  await page.route(/\/assets\/markdown-/, (route) => route.abort());
  await more(page).click();
  await item(page, 'Markdown').click();
  const problem = page.getByRole('alert').filter({ hasText: 'The Markdown file could not be made' });
  await expect(problem).toContainText('Your text is still here.');
  await expect(tool.text).toHaveValue(/^Black tea 12/m);
  await page.unroute(/\/assets\/markdown-/);
  const downloading = page.waitForEvent('download');
  await problem.getByRole('button', { name: 'Try again' }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/^\| Black tea /m);
  await expect(problem).toHaveCount(0);
});

test('more formats: the code of a format is not loaded before the format is chosen', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await readOrder(page);
  const writers = () =>
    loaded.filter((path) => /\/(pdf|docx|xlsx|csv|markdown|json|hocr|alto|export-text)-/.test(path));
  expect(writers()).toEqual([]);
  await more(page).click();
  await expect(item(page, 'JSON')).toBeVisible();
  expect(writers()).toEqual([expect.stringContaining('/export-text-')]);
});

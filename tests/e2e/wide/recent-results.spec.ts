import type { Page } from '@playwright/test';
import { NOTE, openTool, SKY } from '../extraction-page.ts';
import { HIGH_RATE_LIMITS, waitForHydration } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

const recent = (page: Page) => page.getByRole('region', { name: 'Recent results' });

test('recent results: their code is loaded when a picture is chosen, not with the page', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const tool = await openTool(page);
  const isOfLater = (path: string) => /recent-results-|result-workspace|plain-result/.test(path);
  expect(loaded.filter(isOfLater)).toEqual([]);
  await tool.choose(NOTE);
  await expect.poll(() => loaded.filter(isOfLater).length).toBeGreaterThanOrEqual(3);
  await tool.choose(SKY);
  await tool.read();
  await expect(page.getByText('No text was found in this picture.')).toBeVisible();
  await expect(recent(page)).toHaveCount(0);
});

test('recent results: on a full disk a text can be read and edited, and is not stored', async ({
  page,
  context,
  baseURL,
}) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 1 });
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  await expect(tool.text).toHaveValue(/^Harbour/);
  await tool.text.press('Control+Home');
  await page.keyboard.type('At the ');
  await expect(tool.text).toHaveValue(/^At the Harbour Lane Bakery/);
  await expect(recent(page)).toHaveCount(0);
  await page.reload();
  await waitForHydration(page);
  await expect(recent(page)).toHaveCount(0);
});

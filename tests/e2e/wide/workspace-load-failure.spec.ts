import { NOTE, openTool } from '../extraction-page.ts';
import { FAILED_REQUESTS, HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS, expectedConsole: FAILED_REQUESTS });

const EDITED = /^At the Harbour Lane Bakery/;

test('result: when the code of the workspace cannot be loaded, the text can be edited, copied and stored in a plain field @every-width', async ({
  page,
  context,
  expectAccessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route('**/result-workspace-*.js', (route) => route.abort());
  const tool = await openTool(page);
  const workspaceRequest = page.waitForRequest('**/result-workspace-*.js');
  await tool.choose(NOTE);
  await workspaceRequest;
  await tool.read();
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toBeFocused();
  await expect(page.getByText('The picture beside the text could not be loaded')).toBeVisible();
  await expect(page.getByText(/^\d+% confidence$/)).toBeVisible();
  await tool.text.press('Control+Home');
  await page.keyboard.type('At the ');
  await expect(tool.text).toHaveValue(EDITED);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(EDITED);
  await expectAccessible();

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  // A browser may remember that a file failed to load; after a reload the page requests it again.
  await page.reload();
  await expect(tool.text).toHaveValue(EDITED);
  const picture = page.getByRole('tab', { name: 'Picture' });
  if (await picture.isVisible()) await picture.click();
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
});

import { NOTE, openTool } from '../extraction-page.ts';
import { gate, HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

test('extraction tool: the button does not move when the picture editor loads @every-width', async ({
  page,
}) => {
  const held = gate();
  await page.route(/picture-editor/, async (route) => {
    await held.opened;
    await route.continue();
  });
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
  const before = await tool.extract.boundingBox();
  const tools = page.getByRole('group', { name: 'Turn and crop' });
  await expect(tools).toHaveCount(0);
  held.open();
  await expect(tools).toBeVisible();
  expect(await tool.extract.boundingBox()).toEqual(before);
});

import { NOTE, openTool } from '../extraction-page.ts';
import { HIGH_RATE_LIMITS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: HIGH_RATE_LIMITS });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} scheme`, () => {
    test.use({ colorScheme });

    test('extraction tool: every state is accessible and fits the width @every-width', async ({
      page,
      expectAccessible,
    }) => {
      // Five accessibility checks of a whole page take long on a busy machine.
      test.slow();
      const tool = await openTool(page);
      await expectAccessible();
      await tool.file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid file type' })).toBeVisible();
      await expectAccessible();
      await tool.choose(NOTE);
      await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
      await expectAccessible();
      await tool.read();
      await expect(tool.text).toHaveValue(/Harbour/);
      await expectAccessible();
      const picture = page.getByRole('tab', { name: 'Picture' });
      if (await picture.isVisible()) {
        await picture.click();
        await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
        await expectAccessible();
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    });
  });
}

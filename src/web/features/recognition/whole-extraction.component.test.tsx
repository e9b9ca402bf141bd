import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openTool, pictureFile } from '../../../../tests/component/extraction.ts';
import { worker } from '../../../../tests/component/server.ts';

test('extraction: an answer of the specified fields alone is shown, and so is a usage of two numbers', async () => {
  const tool = await openTool();
  worker.use(
    http.post('/api/extract-text', () =>
      HttpResponse.json({ extractedText: 'Two loaves\nof rye', wordCount: 4, confidence: 93 }),
    ),
    http.get('/api/usage', () => HttpResponse.json({ imageCount: 2, dailyLimit: 3 })),
  );
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await expect.element(tool.text).toHaveValue('Two loaves\nof rye');
  await expect.element(page.getByText('93% confidence', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Only 1 extraction remaining today.')).toBeVisible();
  const picture = page.getByRole('img', { name: 'The original: note.png' }).element();
  expect(picture.getBoundingClientRect().width).toBeGreaterThan(100);
});

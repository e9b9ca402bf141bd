import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pausedToast } from '../../../../../tests/component/application.tsx';
import { openTool, pictureFile, readingOf } from '../../../../../tests/component/extraction.ts';
import { requests, worker } from '../../../../../tests/component/server.ts';
import { newAttempt } from '../tool/items.ts';
import { startExtraction } from './extract-text.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('extraction: shows a response that has only the required fields', async () => {
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

test('extraction: low confidence does not show "Success!", and a notice advises what to do', async () => {
  const tool = await openTool({ state: { extraction: { ...readingOf('note'), confidence: 34 } } });
  await tool.choose(await pictureFile('note'));
  await tool.read();
  await expect.element(await pausedToast()).toHaveTextContent(/Extracted \d+ words with 34% confidence/);
  await expect.element(await pausedToast()).not.toHaveTextContent('Success!');
  await expect.element(page.getByText('Hardly anything in this picture could be read')).toBeVisible();
});

test('extraction: without text, Copy and Download are disabled', async () => {
  const tool = await openTool({ state: { extraction: readingOf('sky') } });
  await tool.choose(await pictureFile('sky'));
  await tool.read();
  await expect.element(page.getByText('No text was found in this picture.')).toBeVisible();
  await expect.element(button('Copy')).toBeDisabled();
  await expect.element(button('Download')).toBeDisabled();
});

test('extraction: cancelling at once sends neither the picture nor a request for stages', async () => {
  const controller = new AbortController();
  const { answer } = startExtraction(
    { file: await pictureFile('note'), original: null },
    newAttempt({ useFiltering: true, languages: [] }),
    { onSent() {}, onStage() {} },
    controller.signal,
  );
  controller.abort();
  await expect(answer).rejects.toThrow(/abort/);
  // Requests are recorded in order: after this response, all earlier ones are known.
  await fetch('/');
  expect(requests.map(({ call }) => call)).toEqual([]);
});

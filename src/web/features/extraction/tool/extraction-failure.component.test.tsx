import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { extractText, previewPicture } from '#contract/calls/recognition';
import { toast } from '../../../../../tests/component/application.tsx';
import { openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { requestCount, requests, respondsWithError, worker } from '../../../../../tests/component/server.ts';

const READ_CALL = 'POST /api/extract-text';
const failure = () => page.getByRole('alert').filter({ hasText: 'Extraction failed' });

/** The idempotency key of each extraction request. */
const keys = () =>
  requests
    .filter(({ call }) => call === READ_CALL)
    .map(({ request }) => request.headers.get('idempotency-key'));

describe('failed extraction', () => {
  test('failed extraction: the server’s message is shown in a toast and stays next to the picture', async () => {
    const reason = 'This is not a picture that can be read.';
    worker.use(
      respondsWithError(extractText, 415, { error: reason }),
      http.post(previewPicture.path, () => new Promise<never>(() => {})),
    );
    const tool = await openTool();
    await tool.choose(new File(['no picture'], 'picture.jxl', { type: 'image/jxl' }));
    await tool.extract.click();
    await expect.element(toast()).toHaveTextContent(/Extraction failed/);
    await expect.element(failure()).toHaveTextContent(reason);
    expect(failure().getByRole('button', { name: 'Try again' }).query()).toBeNull();
    expect(requestCount('GET /api/usage')).toBe(0);
  });

  test('SVG: is refused with a specific message when it is chosen', async () => {
    const tool = await openTool();
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><text>Hello</text></svg>';
    await tool.choose(new File([drawing], 'drawing.svg', { type: 'image/svg+xml' }));
    await expect.element(toast()).toHaveTextContent('An SVG is a drawing, not a picture');
    await expect.element(tool.extract).toBeDisabled();
    expect(requestCount('POST /api/extract-text')).toBe(0);
  });

  test('failed extraction: offline, the picture stays and "Try again" sends the request with the same key', async () => {
    const tool = await openTool();
    await tool.choose(await pictureFile('note'));
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    let isLost = true;
    worker.use(http.post(extractText.path, () => (isLost ? HttpResponse.error() : undefined)));
    await tool.extract.click();
    await expect.element(toast()).toHaveTextContent(/Extraction failed.*Please try again/);
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect.element(failure()).toHaveTextContent(/You are offline\..*Your picture is still here\./);

    onLine.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    await expect.element(failure()).not.toHaveTextContent(/You are offline\./);
    isLost = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
    expect(keys()).toHaveLength(2);
    expect(keys()[0]).toBeTruthy();
    expect(keys()[1]).toBe(keys()[0]);
  });
});

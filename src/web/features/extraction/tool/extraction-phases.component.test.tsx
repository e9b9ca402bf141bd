import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { openResult, openTool, pictureFile, readingOf } from '../../../../../tests/component/extraction.ts';
import { worker } from '../../../../../tests/component/server.ts';

const EDITED = /^At the Harbour Lane Bakery/;
const processing = () => page.getByText('Processing your image...');

describe('extracting again above a text', () => {
  async function openEdited() {
    const tool = await openResult();
    const value = () => tool.area().value;
    tool.area().focus();
    await userEvent.keyboard('{Control>}{Home}{/Control}At the ');
    await expect.poll(value).toMatch(EDITED);
    const answerWith = (answer: () => Response | Promise<Response>) =>
      worker.use(http.post(extractText.path, answer));
    return { ...tool, value, answerWith };
  }

  test('extracting again: the edited text stays editable while the picture is read, and Cancel keeps it', async () => {
    const { extract, area, value, answerWith } = await openEdited();
    answerWith(() => new Promise(() => {}));
    await extract.click();
    await expect.element(processing()).toBeVisible();
    await expect.element(page.getByText('Reading note.png once more')).toBeVisible();
    expect(value()).toMatch(EDITED);
    area().focus();
    await userEvent.keyboard('{Control>}{End}{/Control} tonight');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(extract).toHaveFocus();
    await expect.element(processing()).not.toBeInTheDocument();
    expect(value()).toMatch(/until seven tonight$/);
  });

  test('extracting again: the edited text stays after a failure, a lost connection and a reached limit, until there is a new text', async () => {
    const { extract, value, answerWith } = await openEdited();
    answerWith(() => HttpResponse.json({ error: 'OCR processing failed' }, { status: 500 }));
    await extract.click();
    await expect.element(page.getByRole('alert').filter({ hasText: 'Extraction failed' })).toBeVisible();
    expect(value()).toMatch(EDITED);

    answerWith(() => HttpResponse.error());
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText('Your picture and your text are still here.')).toBeVisible();
    expect(value()).toMatch(EDITED);

    answerWith(() =>
      HttpResponse.json({ error: 'Daily limit reached.', limitExceeded: true }, { status: 429 }),
    );
    await extract.click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(value()).toMatch(EDITED);

    answerWith(() => HttpResponse.json(readingOf('note')));
    await extract.click();
    await expect.poll(value).toMatch(/^Harbour Lane Bakery/);
    await expect.element(page.getByRole('heading', { name: 'Extracted text' })).toHaveFocus();
  });
});

/** Counts the frames in which a condition is true, until the test ends. */
function countFrames(condition: () => boolean): () => number {
  let frames = 0;
  const { document } = window;
  const shown = document.body.firstElementChild;
  const count = () => {
    if (document.body.firstElementChild !== shown) return;
    if (condition()) frames += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  return () => frames;
}

test('extracting: the button changes before the rest of the page is rendered', async () => {
  const tool = await openTool();
  await tool.choose(await pictureFile('note'));
  const frames = countFrames(
    () => document.querySelector('form [aria-busy]') !== null && document.querySelector('progress') === null,
  );
  await tool.read();
  expect(frames()).toBeGreaterThan(0);
});

test('extracting: the progress is visible before the picture is sent', async () => {
  const tool = await openTool();
  await tool.choose(await pictureFile('note'));
  const frames = countFrames(() => document.querySelector('progress') !== null);
  const { send } = XMLHttpRequest.prototype;
  const framesBeforeSending: number[] = [];
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest, ...sent) {
    framesBeforeSending.push(frames());
    send.apply(this, sent);
  });
  await tool.read();
  expect(framesBeforeSending).toHaveLength(1);
  expect(framesBeforeSending[0]).toBeGreaterThan(0);
});

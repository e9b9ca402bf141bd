import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { toast } from '../../../../../tests/component/application.tsx';
import { gate, openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { requests, worker } from '../../../../../tests/component/server.ts';
import codeReading from './code.json' with { type: 'json' };
import receiptReading from './receipt.json' with { type: 'json' };
import tableReading from './table.json' with { type: 'json' };

const group = () => page.getByRole('group', { name: 'Samples' });
const sample = (name: string) => group().getByRole('button', { name, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Answers the request for the receipt's picture. The request for Vite's module with the URL passes through. */
const answerReceiptRequest = (answer: () => Promise<void> | Response) =>
  http.get(/receipt\.webp/, ({ request }) => (new URL(request.url).search ? undefined : answer()));

describe('samples', () => {
  test.each([
    { width: 1440, height: 900 },
    { width: 375, height: 812 },
  ])(
    'samples: at $width px they are below the drop zone, with touch targets of 44 px',
    async ({ width, height }) => {
      await page.viewport(width, height);
      await openTool();
      const zone = document.querySelector('.drop-zone')!.getBoundingClientRect();
      for (const name of ['Receipt', 'Table', 'Code']) {
        await expect.element(sample(name)).toBeVisible();
        const place = sample(name).element().getBoundingClientRect();
        expect(place.top).toBeGreaterThanOrEqual(zone.bottom);
        expect(place.right).toBeLessThanOrEqual(zone.right);
        expect(place.height).toBeGreaterThanOrEqual(44);
      }
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expectAccessible();
    },
  );

  test.each([
    { name: 'Receipt', words: 'Drafting pencil 2B 4.20', recorded: receiptReading },
    { name: 'Table', words: 'closed, painting', recorded: tableReading },
    { name: 'Code', words: '\n            counts[word] += 1', recorded: codeReading },
  ])('sample $name: opens by keyboard with its recorded text and makes no call', async (expected) => {
    const { name, words, recorded } = expected;
    const tool = await openTool();
    (sample(name).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(tool.text).toBeVisible();
    expect(tool.area().value).toContain(words);
    await expect.element(page.getByText(/A sample that was read before: nothing was counted/)).toBeVisible();
    await expect.element(page.getByText(`${recorded.confidence}% confidence`)).toBeVisible();
    await expect.poll(() => document.querySelector('.picture-viewport img')).not.toBeNull();
    expect(requests.map(({ call }) => call)).toEqual([]);
    expect(toast().query()).toBeNull();
  });

  test('sample: cannot be extracted again, is not stored, and "Upload Another Image" returns to the drop zone', async () => {
    const tool = await openTool();
    await sample('Receipt').click();
    await expect.element(tool.text).toBeVisible();
    await expect.element(tool.extract).toBeDisabled();
    (button('Region').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Copy text in it')).toBeInTheDocument();
    expect(button('Read only this').query()).toBeNull();
    await page.getByRole('heading', { level: 1 }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(toast()).toHaveTextContent(/No file selected/);
    await expect.element(tool.text).toBeVisible();
    await button('Upload Another Image').click();
    await expect.element(page.getByText('Drop a picture here')).toBeVisible();
    await expect.element(sample('Receipt')).toBeVisible();
    expect(page.getByRole('region', { name: 'Recent results' }).query()).toBeNull();
    expect(requests.map(({ call }) => call)).toEqual([]);
  });

  test('sample: does not replace a picture that was chosen while the sample loaded', async () => {
    const response = gate();
    worker.use(answerReceiptRequest(() => response.opened));
    const tool = await openTool();
    await sample('Receipt').click();
    await tool.choose(await pictureFile('note'));
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    response.open();
    // Long enough for the sample to open if the test failed.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect.element(tool.text).not.toBeInTheDocument();
  });

  test('sample: without a connection a toast reports the error, and the tool does not change', async () => {
    worker.use(answerReceiptRequest(() => HttpResponse.error()));
    const tool = await openTool();
    await sample('Receipt').click();
    await expect.element(toast()).toHaveTextContent(/The sample could not be loaded.*Check your connection/);
    await expect.element(page.getByText('Drop a picture here')).toBeVisible();
    await expect.element(tool.text).not.toBeInTheDocument();
  });
});

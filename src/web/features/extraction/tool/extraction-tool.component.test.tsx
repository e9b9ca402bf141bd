import { describe, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { pausedToast, toast } from '../../../../../tests/component/application.tsx';
import { expectConsole } from '../../../../../tests/component/console.ts';
import {
  openResult,
  openTool,
  pasteFiles,
  pasteText,
  pictureFile,
  readingOf,
} from '../../../../../tests/component/extraction.ts';
import { selectedText } from '../../../../../tests/component/workspace.ts';

const button = (name: string) => page.getByRole('button', { name });
const recent = () => page.getByRole('region', { name: 'Recent results' });

/** Presses Enter on an element. */
async function press(target: Locator) {
  await expect.element(target).toBeInTheDocument();
  (target.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

describe('choosing a picture', () => {
  test('tool: a picture pasted anywhere on the page is chosen', async () => {
    const tool = await openTool();
    pasteFiles([await pictureFile('note')]);
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect.element(tool.extract).toBeEnabled();
  });

  // The file input may have the focus, but accepts no text.
  test.each(['body', 'input[type=file]'])(
    'tool: a text pasted into %s while the tool is empty shows the accepted formats',
    async (place) => {
      await openTool();
      expect(pasteText('a name', document.querySelector(place)!)).toBe(true);
      const words = /No picture was pasted.*Copy a picture, a PDF or the address of one, not a text/;
      await expect.element(toast()).toHaveTextContent(words);
      await expect.element(page.getByRole('main').getByRole('alert')).toHaveTextContent(words);
    },
  );

  test('tool: the browser fetches a pasted URL of a picture, and the picture is chosen', async () => {
    const tool = await openTool();
    const picture = await pictureFile('note');
    const base64 = btoa(String.fromCharCode(...new Uint8Array(await picture.arrayBuffer())));
    pasteText(`data:image/png;base64,${base64}\n`);
    await expect.element(page.getByText('pasted', { exact: true })).toBeVisible();
    await expect.element(tool.extract).toBeEnabled();
  });

  test.each([
    ['http://example.org/note.png', /Pictures are fetched from addresses with https only/],
    ['data:image/png,%3C!doctype%20html%3E%3Ctitle%3Ex', /There is no picture at this address, but a page/],
    [
      'https://localhost:9/note.png',
      /localhost:9 does not allow other sites to read its pictures, or cannot be reached/,
    ],
  ])(
    'tool: if a pasted %s gives no picture, it shows the reason and an alternative',
    async (address, reason) => {
      if (address.startsWith('https')) expectConsole(/ERR_|Failed to load/);
      await openTool();
      pasteText(address);
      const alert = page.getByRole('main').getByRole('alert');
      await expect.element(alert).toHaveTextContent(reason);
      await expect
        .element(alert)
        .toHaveTextContent(/Save the picture and drop it here, or copy the picture itself/);
    },
  );

  test('tool: ignores a text that is pasted into a field or a dialog, or while a picture is chosen', async () => {
    const tool = await openTool();
    const field = document.body.appendChild(document.createElement('input'));
    expect(pasteText('a name', field)).toBe(true);
    field.remove();
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.role = 'dialog';
    pasteText('a name', dialog);
    dialog.remove();
    await tool.choose(await pictureFile('note'));
    pasteText('a name');
    await expect.element(tool.extract).toBeEnabled();
    expect(toast().query()).toBeNull();
    expect(page.getByRole('main').getByRole('alert').query()).toBeNull();
  });

  test('tool: Ctrl+Enter without a picture shows "No file selected"', async () => {
    await openTool();
    await page.getByRole('heading', { level: 1 }).click();
    expect(document.activeElement).toBe(page.getByRole('main').element());
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    const words = /No file selected.*Please select an image file first/;
    await expect.element(toast()).toHaveTextContent(words);
    await expect.element(page.getByRole('main').getByRole('alert')).toHaveTextContent(words);
  });

  test('tool: choosing another picture clears the text and the result', async () => {
    const tool = await openResult();
    await tool.choose(await pictureFile('sky'));
    await expect.element(page.getByText('sky.png', { exact: true })).toBeVisible();
    await expect.element(tool.text).not.toBeInTheDocument();
  });
});

describe('result', () => {
  test('result: a picture without text shows a notice and an empty text, and no success toast', async () => {
    const tool = await openTool({ state: { extraction: readingOf('sky') } });
    await tool.choose(await pictureFile('sky'));
    await tool.read();
    await expect.element(page.getByText('No text was found in this picture.')).toBeVisible();
    await expect.element(tool.text).toHaveValue('');
    expect(toast().query()).toBeNull();
    expect(page.getByText('Success!').query()).toBeNull();
  });

  test('result: Copy selects the text if the browser denies the clipboard', async () => {
    const tool = await openResult();
    const refused = new DOMException('', 'NotAllowedError');
    vi.spyOn(navigator.clipboard, 'write').mockRejectedValue(refused);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(refused);
    await button('Copy').first().click();
    await expect.element(toast()).toHaveTextContent(/Copy failed.*Please select and copy the text manually/);
    await expect.poll(selectedText).toBe(tool.area().value);
  });

  test('result: "Upload Another Image" clears picture and text, and shows a toast', async () => {
    const tool = await openResult();
    await button('Upload Another Image').click();
    await expect.element(toast()).toHaveTextContent(/Form Reset.*Ready for your next image extraction/);
    await expect.element(page.getByText('Drop a picture here')).toBeVisible();
    await expect.element(tool.extract).toBeDisabled();
    await expect.element(tool.text).not.toBeInTheDocument();
  });
});

describe('focus', () => {
  /** Expects that an element of the page has the focus, and not the body. */
  const expectFocusKept = (after: string) =>
    expect
      .poll(
        () => {
          const { activeElement } = document;
          return activeElement !== null && activeElement !== document.body && activeElement.isConnected;
        },
        { message: `the focus after ${after}` },
      )
      .toBe(true);

  test('tool: the focus is never lost when a picture is read, reset, restored and removed with the keyboard', async () => {
    const tool = await openTool();
    await tool.choose(await pictureFile('note', 'first.png'));
    await press(tool.extract);
    await expect.element(recent()).toHaveTextContent(/The text above is kept\./);
    await expectFocusKept('a reading');
    await press(button('Upload Another Image'));
    await expectFocusKept('"Upload Another Image"');
    await press((await pausedToast()).getByRole('button', { name: 'Undo' }));
    await expect.element(tool.text).toBeVisible();
    await expectFocusKept('Undo in the message');
    await press(button('Upload Another Image'));
    await press((await pausedToast()).getByRole('button', { name: 'Close' }));
    await expect.element(toast()).not.toBeInTheDocument();
    await expectFocusKept('closing the message');
    await press(recent().getByRole('button', { name: /^Remove first\.png/ }));
    await expect.element(recent()).not.toBeInTheDocument();
    await expectFocusKept('removing the last result');
  });
});

describe('messages', () => {
  test('tool: a toast disappears with the next click on a control, not with a click on plain text', async () => {
    const tool = await openTool();
    const shown = toast().filter({ hasText: 'Invalid file type' });
    await tool.choose(new File(['text'], 'a.txt', { type: 'text/plain' }));
    await pausedToast();
    await page.getByRole('heading', { level: 1 }).click();
    await expect.element(shown).toBeVisible();
    await page.getByRole('switch', { name: 'Smart Text Filtering' }).click();
    await expect.element(shown).not.toBeInTheDocument();
  });
});

import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { previewPicture } from '#contract/calls/recognition';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { tabTo, toast } from '../../../../../tests/component/application.tsx';
import { openTool, pictureFile } from '../../../../../tests/component/extraction.ts';
import { row } from '../../../../../tests/component/file-list.ts';
import { respondsWithError, worker } from '../../../../../tests/component/server.ts';
import { lastUpload } from '../../../../../tests/component/workspace.ts';

const problem = () => page.getByRole('alert').filter({ hasText: 'Invalid file type' });
const fileName = (name: string) => page.getByText(name, { exact: true });

/** A picture file of this many bytes: PNG decoders ignore bytes after the end of the picture. */
async function padded(name: string, size: number): Promise<File> {
  const picture = await pictureFile('note');
  return new File([picture, new Uint8Array(size - picture.size)], name, { type: picture.type });
}

describe('refused file', () => {
  test('refused file: a file that is not a picture is refused, and the picture chosen before stays', async () => {
    const tool = await openTool();
    await tool.choose(await pictureFile('note'));
    await expect.element(fileName('note.png')).toBeVisible();
    await tool.choose(new File(['x'], 'letter.pdf', { type: 'application/pdf' }));
    await expect
      .element(toast())
      .toHaveTextContent(/Invalid file type.*Please select an image file \(PNG, JPG, WebP\)/);
    await expect.element(problem()).toBeVisible();
    const input = page.elementLocator(document.querySelector('input[type=file]')!);
    await expect.element(input).toHaveAccessibleDescription(/Invalid file type/);
    await expect.element(fileName('note.png')).toBeVisible();
    await expect.element(tool.extract).toBeEnabled();

    await tool.choose(await pictureFile('note'));
    await expect.element(problem()).not.toBeInTheDocument();
  });

  test('refused file: ten megabytes are accepted, and one byte more is refused', async () => {
    const tool = await openTool();
    await tool.choose(await padded('exact.png', MAX_IMAGE_BYTES));
    await expect.element(page.getByText('10.00 MB')).toBeVisible();
    await tool.choose(await padded('more.png', MAX_IMAGE_BYTES + 1));
    await expect
      .element(toast())
      .toHaveTextContent(/File too large.*Please select an image smaller than 10MB/);
    await expect.element(fileName('exact.png')).toBeVisible();
  });

  test('refused file: a picture over ten megabytes can be scaled down with the keyboard, and is then read', async () => {
    const tool = await openTool();
    await tool.choose(await padded('more.png', MAX_IMAGE_BYTES + 1));
    await expect
      .element(toast())
      .toHaveTextContent(/File too large.*Please select an image smaller than 10MB/);
    const offer = page.getByRole('alert').getByRole('button', { name: 'Scale it down' });
    await expect.element(offer).toBeVisible();
    document.querySelector<HTMLElement>('input[type=file]')!.focus();
    await tabTo(() => offer.query(), 10);
    await userEvent.keyboard('{Enter}');
    await expect.element(fileName('more.png')).toBeVisible();
    await expect.element(page.getByText(/^0\.0\d MB$/)).toBeVisible();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    await tool.read();
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
    const { file } = await lastUpload();
    expect(file.size).toBeLessThan(100_000);
    const [sent, chosen] = await Promise.all(
      [file, await pictureFile('note')].map((picture) => createImageBitmap(picture)),
    );
    expect([sent!.width, sent!.height]).toEqual([chosen!.width, chosen!.height]);
  });

  test.each([
    ['letter.pdf', 'application/pdf'],
    ['letter.jpg', 'image/jpeg'],
    ['letter.txt', 'text/plain'],
  ])('refused file: a PDF called %s is opened and not refused', async (name, type) => {
    worker.use(respondsWithError(previewPicture, 415, { error: 'This cannot be drawn.' }));
    const tool = await openTool();
    await tool.choose(new File(['%PDF-1.7\n'], name, { type }));
    await expect.element(row(name)).toHaveTextContent(/Its pages could not be opened.*It is broken/);
    await expect.element(problem()).not.toBeInTheDocument();
    expect(toast().query()).toBeNull();
  });

  test('refused file: a picture with the extension TXT is recognized by its bytes, and a button accepts it', async () => {
    const tool = await openTool();
    await tool.choose(new File([await pictureFile('note')], 'note.txt', { type: 'text/plain' }));
    await expect.element(toast()).toHaveTextContent(/Invalid file type/);
    await expect.element(page.getByRole('alert')).toHaveTextContent(/this is a PNG picture/);
    await page.getByRole('button', { name: 'Take it as a picture' }).click();
    await expect.element(fileName('note.txt')).toBeVisible();
    await tool.read();
    await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
    const { file } = await lastUpload();
    expect([file.name, file.type]).toEqual(['note.txt', 'image/png']);
  });
});

import { HttpResponse, http } from 'msw';
import { createRef } from 'react';
import { expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { previewPicture } from '#contract/calls/recognition';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import {
  openTool,
  pictureFile,
  readingOf,
  waitUntilStill,
} from '../../../../../tests/component/extraction.ts';
import { worker } from '../../../../../tests/component/server.ts';
import { lastUpload, tap } from '../../../../../tests/component/workspace.ts';
import { PictureEditor } from './picture-editor.tsx';

const edit = () => page.getByRole('group', { name: 'Turn and crop' });
const tool = (name: string) => edit().getByRole('button', { name, exact: true });
const frame = () => page.getByRole('group', { name: 'The part to keep' });

/** The natural width and height of the shown picture. */
async function sizeShown(): Promise<number[]> {
  const image = document.querySelector<HTMLImageElement>('.crop-marks img');
  await image?.decode().catch(() => {});
  return image ? [image.naturalWidth, image.naturalHeight] : [];
}

/** The bottom right corner of the crop frame. */
async function corner() {
  await expect.element(frame()).toBeVisible();
  await waitUntilStill(() => frame().element());
  const { right, bottom, height } = frame().element().getBoundingClientRect();
  return { right, bottom, height };
}

const sizeSent = async () => {
  const { file } = await lastUpload();
  const { width, height } = await createImageBitmap(file);
  return { width, height };
};

async function openPicture(...picture: Parameters<typeof pictureFile>) {
  const opened = await openTool({ state: { extraction: readingOf(picture[0]) } });
  await opened.choose(await pictureFile(...picture));
  return opened;
}

test('turn and crop: the mouse turns, crops and resets a picture, and the shown part is sent', async () => {
  const { read } = await openPicture('note');
  await tool('Turn right').click();
  await expect.poll(sizeShown).toEqual([520, 900]);
  await tool('Turn left').click();
  await expect.poll(sizeShown).toEqual([900, 520]);
  await expectAccessible();

  await tool('Crop').click();
  const { right: x, bottom, height } = await corner();
  const dragTo = (share: number) =>
    commands.drag([
      { x, y: bottom },
      { x, y: bottom - height * (1 - share) },
    ]);
  await dragTo(0.35);
  await expectAccessible();
  await tool('Keep this part').click();
  await expect.poll(async () => (await sizeShown())[1]).toBeLessThan(200);
  await tool('Reset').click();
  await expect.poll(sizeShown).toEqual([900, 520]);

  await tool('Crop').click();
  await corner();
  await dragTo(0.22);
  // Extracting crops to the marked part first.
  await read();
  const sent = await sizeSent();
  expect(sent.width).toBe(900);
  expect(Math.abs(sent.height - 520 * 0.22)).toBeLessThan(6);
  await expect.element(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
});

test('turn and crop: with a crop frame around the whole picture, the whole picture is sent', async () => {
  const { read } = await openPicture('note');
  await tool('Crop').click();
  await expect.element(frame()).toBeVisible();
  await read();
  expect(await sizeSent()).toEqual({ width: 900, height: 520 });
});

test('turn and crop: the keyboard crops a picture, and Escape cancels', async () => {
  await openPicture('note');
  await expect.element(tool('Crop')).toBeVisible();
  (tool('Crop').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('button', { name: 'The part to keep. Arrow keys move it.' }))
    .toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(tool('Crop')).toHaveFocus();
  expect(await sizeShown()).toEqual([900, 520]);
  await userEvent.keyboard('{Enter}');
  const bottomRight = page.getByRole('button', { name: 'Bottom right corner' });
  // The frame gets the focus when it is shown.
  await expect
    .element(page.getByRole('button', { name: 'The part to keep. Arrow keys move it.' }))
    .toHaveFocus();
  (bottomRight.element() as HTMLElement).focus();
  await userEvent.keyboard('{Shift>}{ArrowUp}{ArrowLeft}{/Shift}{Enter}');
  await expect.poll(sizeShown).toEqual([810, 468]);
});

test('turn and crop: clicking Crop before the picture has loaded shows the frame afterwards', async () => {
  const shown = await pictureFile('note');
  let load = () => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  worker.use(
    http.get('/late.png', async () => {
      await loaded;
      return new HttpResponse(shown, { headers: { 'content-type': 'image/png' } });
    }),
  );
  const stage = createRef<HTMLDivElement>();
  await render(
    <div ref={stage} className="relative">
      <img src="/late.png" alt="" className="w-96" />
      <PictureEditor picture={{ file: shown, number: 1 }} stage={stage} onRedrawn={() => {}} />
    </div>,
  );
  await tool('Crop').click();
  expect(frame().query()).toBeNull();
  load();
  await expect.element(frame()).toBeVisible();
  expect(frame().element().getBoundingClientRect().width).toBeGreaterThan(300);
});

test('turn and crop: the EXIF orientation is applied once', async () => {
  const { read } = await openPicture('note-camera');
  await expect.poll(sizeShown).toEqual([900, 520]);
  await tool('Turn right').click();
  await expect.poll(sizeShown).toEqual([520, 900]);
  await tool('Turn left').click();
  await expect.poll(sizeShown).toEqual([900, 520]);
  await read();
  expect(await sizeSent()).toEqual({ width: 900, height: 520 });
});

test('turn and crop: are not offered for a picture that the browser cannot draw', async () => {
  const shown = await pictureFile('note');
  worker.use(
    http.post(
      previewPicture.path,
      () => new HttpResponse(shown, { headers: { 'content-type': 'image/png' } }),
    ),
  );
  await openPicture('note-tiff');
  await expect.element(page.getByRole('img', { name: 'Preview of note.tif' })).toBeVisible();
  expect(edit().query()).toBeNull();
});

test('turn and crop: a finger crops and turns a picture on a phone', async () => {
  await page.viewport(375, 812);
  await commands.emulateTouch(true);
  await openPicture('note');
  await tap(tool('Crop'));
  const { right: x, bottom: y, height } = await corner();
  await commands.touch([
    { x, y },
    { x, y: y - height / 2 },
  ]);
  await expect.poll(async () => (await corner()).height).toBeLessThan(height * 0.6);
  // Chromium treats the first tap after a drag as the end of the drag.
  await commands.touch([{ x: 4, y: 4 }]);
  await tap(tool('Keep this part'));
  await expect.poll(async () => (await sizeShown())[1]).toBeLessThan(300);
  await tap(tool('Turn right'));
  await expect.poll(async () => (await sizeShown())[1]).toBe(900);
});

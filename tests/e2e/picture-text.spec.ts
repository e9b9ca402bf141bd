import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extractText } from '#contract/calls/recognition';
import { changeExtraction, NOTE, NOTE_TIFF, openTool } from './extraction-page.ts';
import { gate, PATIENT } from './people.ts';
import { expect, test } from './test.ts';

const POSTER = join(import.meta.dirname, 'fixtures', 'poster.png');
const SLANTED = join(import.meta.dirname, 'fixtures', 'note-slanted.png');
/** Lies on its side, and says so as a camera does. */
const CAMERA = join(import.meta.dirname, 'fixtures', 'note-camera.jpg');

test.use({ settings: PATIENT, permissions: ['clipboard-read', 'clipboard-write'] });

async function read(page: Page, picture = NOTE) {
  // The page would still be on its way to the result while places on it are measured.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const tool = await openTool(page);
  await tool.choose(picture);
  await tool.read();
  const tab = page.getByRole('tab', { name: 'Picture' });
  if (await tab.isVisible()) await tab.click();
  return tool;
}

const pictureOf = (page: Page) => page.locator('.picture-viewport');
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected words' });
const partBar = (page: Page) => page.getByRole('toolbar', { name: 'Part of the picture' });
const wordBox = (page: Page, piece: number) => page.locator(`.word-boxes rect[data-piece="${piece}"]`);
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Where a word is that was read; its piece is its number in the order of reading. */
async function middleOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drawMouse(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** A finger that goes along a way; `rests` is what is waited for before it moves. */
async function drawFinger(page: Page, way: { x: number; y: number }[], rests = async () => {}) {
  const touches = await page.context().newCDPSession(page);
  const [first, ...others] = way;
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first!] });
  await rests();
  let last = first!;
  for (const point of others) {
    for (let step = 1; step <= 4; step += 1) {
      const at = { x: last.x + ((point.x - last.x) * step) / 4, y: last.y + ((point.y - last.y) * step) / 4 };
      await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
    }
    last = point;
  }
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await touches.detach();
}

test('words are marked by drawing over them with the mouse, and copied as they stand in the text', async ({
  page,
  expectAccessible,
}) => {
  const tool = await read(page);
  await tool.text.fill((await tool.text.inputValue()).replace('Two loaves', 'Ten loaves'));
  await drawMouse(page, await middleOf(wordBox(page, 1)), await middleOf(wordBox(page, 4)));
  await expect(bar(page)).toBeVisible();
  await expectAccessible();
  await bar(page).getByRole('button', { name: 'Copy' }).click();
  await expect(tool.toast).toHaveText(/Copied!/);
  expect(await clipboard(page)).toMatch(/^Lane Bakery\n+Ten loaves$/);

  await pictureOf(page).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(() => clipboard(page)).toMatch(/^Lane Bakery\n+Ten loaves of$/);
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
  await expect(page.locator('.word-boxes .marked')).toHaveCount(0);
});

test('two presses mark a word and three its line, and it is shown where it stands in the text', async ({
  page,
}) => {
  const tool = await read(page);
  await wordBox(page, 2).dblclick();
  await bar(page).getByRole('button', { name: 'Copy' }).click();
  expect(await clipboard(page)).toBe('Bakery');
  await wordBox(page, 2).click({ clickCount: 3 });
  await bar(page).getByRole('button', { name: 'Show in text' }).click();
  await expect(tool.text).toBeFocused();
  const selected = await tool.text.evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  );
  expect(selected).toBe('Harbour Lane Bakery');
});

test('a slanted line is followed, and words are copied in the order in which they are read', async ({
  page,
}) => {
  const tool = await read(page, SLANTED);
  const text = await tool.text.inputValue();
  const line = text.split('\n').find((words) => words.includes('plum'))!;
  const words = text.split(/\s+/);
  const [first, last] = [words.indexOf(line.split(' ')[0]!), words.indexOf(line.split(' ').at(-1)!)];
  await drawMouse(page, await middleOf(wordBox(page, first)), await middleOf(wordBox(page, last)));
  await bar(page).getByRole('button', { name: 'Copy' }).click();
  expect(await clipboard(page)).toBe(line);
});

test('words are marked by keys alone, said aloud, and copied', async ({ page, expectAccessible }) => {
  await read(page);
  await pictureOf(page).focus();
  await page.keyboard.press('Enter');
  const aloud = page.getByRole('status').filter({ hasText: /selected/i });
  await expect(aloud).toHaveText('Selected: Harbour');
  await page.keyboard.press('ArrowRight');
  await expect(aloud).toHaveText('Selected: Lane');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(aloud).toHaveText('Selected: Two');
  await page.keyboard.press('Shift+End');
  await expect(aloud).toHaveText(/^\d words selected, from Two to /);
  await expectAccessible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(() => clipboard(page)).toBe(await page.locator('.text-editor textarea').inputValue());
  await page.keyboard.press('Escape');
  await expect(aloud).toHaveCount(0);
});

test('where nobody may write to the clipboard, what is marked is selected in the text', async ({ page }) => {
  const tool = await read(page);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await wordBox(page, 2).dblclick();
  await page.keyboard.press('ControlOrMeta+c');
  await expect(tool.toast).toHaveText(/Copy failed/);
  await expect(tool.text).toBeFocused();
});

test('a part of the picture is drawn, its words are copied, and it alone is read for one extraction', async ({
  page,
  expectAccessible,
}) => {
  const tool = await read(page);
  const before = await tool.text.inputValue();
  await page.getByRole('button', { name: 'Region' }).click();
  const [harbour, bread] = [await wordBox(page, 0).boundingBox(), await wordBox(page, 7).boundingBox()];
  await drawMouse(
    page,
    { x: harbour!.x - 8, y: harbour!.y - 8 },
    { x: bread!.x + bread!.width + 40, y: bread!.y + bread!.height + 6 },
  );
  await expect(partBar(page)).toContainText('Reading it counts as 1 extraction');
  await expectAccessible();
  await partBar(page).getByRole('button', { name: 'Copy text in it' }).click();
  const copied = await clipboard(page);
  expect(copied).toMatch(/^Harbour Lane Bakery\n+Two loaves of rye bread$/);

  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(extractText.path)) sent += 1;
  });
  await partBar(page).getByRole('button', { name: 'Read only this' }).click();
  await expect(page.getByText('note-part.png').first()).toBeVisible({ timeout: 30_000 });
  await expect(tool.text).toHaveValue(/^Harbour Lane Bakery\s+Two loaves of rye bread$/, { timeout: 30_000 });
  expect(sent).toBe(1);
  expect(before).not.toBe(await tool.text.inputValue());
  await expect(page.getByRole('img', { name: 'The original: note-part.png' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('note.png');
});

test('a part that could not be read leaves the text and its picture as they were', async ({ page }) => {
  const tool = await read(page);
  const before = await tool.text.inputValue();
  await page.getByRole('button', { name: 'Region' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.route(`**${extractText.path}`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: 'no answer of ours' }),
  );
  await partBar(page).getByRole('button', { name: 'Read only this' }).click();
  await expect(
    page.getByRole('main').getByRole('alert').filter({ hasText: 'Extraction failed' }),
  ).toBeVisible();
  await expect(tool.text).toHaveValue(before);
  await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
});

test('a part is placed, moved and made larger by keys alone', async ({ page }) => {
  await read(page);
  await page.getByRole('button', { name: 'Region' }).focus();
  await page.keyboard.press('Enter');
  const frame = page.getByRole('group', { name: 'Part of the picture' });
  const before = (await frame.boundingBox())!;
  const middle = frame.getByRole('button', { name: 'Part of the picture. Arrow keys move it.' });
  await middle.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => (await frame.boundingBox())!.x).toBeLessThan(before.x);
  const after = (await frame.boundingBox())!;
  expect(after.width).toBeCloseTo(before.width, 0);
  await frame.getByRole('button', { name: 'Bottom right corner' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await frame.boundingBox())!.width).toBeGreaterThan(after.width);
  await page.keyboard.press('Escape');
  await expect(frame).toBeHidden();
});

test('of a picture that this browser cannot draw, a part is copied and not offered to be read', async ({
  page,
}) => {
  await read(page, NOTE_TIFF);
  await page.getByRole('button', { name: 'Region' }).focus();
  await page.keyboard.press('Enter');
  await expect(partBar(page).getByRole('button', { name: 'Copy text in it' })).toBeVisible();
  await expect(partBar(page).getByRole('button', { name: 'Read only this' })).toBeHidden();
});

test.describe('on a screen that is touched', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 812 } });

  test('a long press marks a word and a finger drawn on marks more, while one that only passes moves the picture', async ({
    page,
  }) => {
    await read(page);
    const places = async () => [await middleOf(wordBox(page, 1)), await middleOf(wordBox(page, 4))] as const;
    await drawFinger(page, [...(await places())]);
    await expect(bar(page)).toBeHidden();
    const [lane, loaves] = await places();
    await drawFinger(page, [lane, loaves], () => page.locator('.word-boxes .marked').waitFor());
    await expect(page.locator('.mark-handle')).toHaveCount(2);
    await bar(page).getByRole('button', { name: 'Copy' }).tap();
    expect(await clipboard(page)).toMatch(/^Lane Bakery\n+Two loaves$/);

    const end = await middleOf(page.locator('.mark-handle[data-handle=end]'));
    const of = await middleOf(wordBox(page, 5));
    await drawFinger(page, [end, { x: end.x + of.x - loaves.x + 4, y: end.y }]);
    await bar(page).getByRole('button', { name: 'Copy' }).tap();
    await expect.poll(() => clipboard(page)).toMatch(/^Lane Bakery\n+Two loaves of/);
  });

  test('with "Select text" a finger marks at once', async ({ page, expectAccessible }) => {
    await read(page);
    await page.getByRole('button', { name: 'Select text' }).tap();
    await drawFinger(page, [await middleOf(wordBox(page, 3)), await middleOf(wordBox(page, 7))]);
    await expectAccessible();
    await bar(page).getByRole('button', { name: 'Copy' }).tap();
    expect(await clipboard(page)).toBe('Two loaves of rye bread');
    await bar(page).getByRole('button', { name: 'Show in text' }).tap();
    await expect(page.getByRole('textbox', { name: 'Extracted text' })).toBeFocused();
  });

  test('what can be pressed on the picture is large enough for a finger', async ({ page }) => {
    await read(page, POSTER);
    await page.getByRole('button', { name: 'Region' }).tap();
    const corner = { x: 60, y: 60 };
    const box = (await pictureOf(page).boundingBox())!;
    await drawFinger(page, [
      { x: box.x + corner.x, y: box.y + box.height / 2 - 40 },
      { x: box.x + box.width - 60, y: box.y + box.height / 2 + 40 },
    ]);
    await expect(partBar(page)).toBeVisible();
    const found = page.getByRole('region', { name: 'Found on the picture' }).getByRole('button');
    await expect(found.first()).toBeVisible();
    const pressed = [...(await partBar(page).getByRole('button').all()), ...(await found.all())];
    for (const button of pressed) {
      const { width, height } = (await button.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});

test('links, addresses, numbers, days and codes are offered, shown in full first, and nothing opens or leaves by itself', async ({
  page,
  expectAccessible,
}) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|blob:|data:)/.test(request.url())) elsewhere.push(request.url());
  });
  await read(page, POSTER);
  const found = page.getByRole('region', { name: 'Found on the picture' });
  const chip = (name: RegExp) => found.getByRole('button', { name });
  await expect(chip(/^QR code: harbour-lane\.example\/table\/4/)).toBeVisible();
  await expect(page.locator('.word-boxes .found')).toHaveCount(5);
  await expect(found.getByRole('link')).toHaveCount(0);

  await chip(/^QR code/).click();
  await expect(found).toContainText('https://harbour-lane.example/table/4');
  const open = found.getByRole('link', { name: /Open (www\.)?harbour-lane\.example/ });
  await expect(open).toHaveAttribute('href', 'https://harbour-lane.example/table/4');
  await expect(open).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(open).toHaveAttribute('target', '_blank');
  await expectAccessible();

  await chip(/^Link: harbour-lane\.example/).click();
  await expect(open).toHaveAttribute('href', /^https:\/\/www\.harbour-lane\.example/);
  await chip(/^Mail address/).click();
  await expect(found.getByRole('link')).toHaveAttribute('href', 'mailto:bread@harbour-lane.example');
  await chip(/^Telephone number/).click();
  await expect(found.getByRole('link')).toHaveAttribute('href', 'tel:+442079460958');
  await found.getByRole('button', { name: 'Copy' }).click();
  expect(await clipboard(page)).toBe('+44 20 7946 0958');

  await chip(/^Date/).click();
  const saving = page.waitForEvent('download');
  await found.getByRole('button', { name: /calendar/ }).click();
  const file = readFileSync(await (await saving).path(), 'utf8');
  expect(file).toContain('DTSTART;VALUE=DATE:20261122');
  expect(file).toContain('SUMMARY:Open day on 22 November 2026');

  await page.locator('.word-boxes rect[data-found]').click();
  await expect(chip(/^QR code/)).toHaveAttribute('aria-expanded', 'true');
  expect(elsewhere).toEqual([]);
});

test('what is doubtful is offered with how sure it is', async ({ page }) => {
  await changeExtraction(
    page,
    (reading) => {
      for (const word of reading.lines.flatMap(({ words }) => words))
        if (word.text.startsWith('www.')) word.confidence = 41;
    },
    null,
  );
  await read(page, POSTER);
  const found = page.getByRole('region', { name: 'Found on the picture' });
  await found.getByRole('button', { name: /^Link: .*in doubt/ }).click();
  await expect(found).toContainText('Only 41% sure. Compare it with the picture first.');
});

for (const forcedColors of ['none', 'active'] as const) {
  test.describe(forcedColors === 'active' ? 'in colours that somebody chose' : 'in colours of ours', () => {
    test.use({ forcedColors });

    test('what is marked on the picture, and which tool is in hand, can be told @every-width', async ({
      page,
      expectAccessible,
    }) => {
      await read(page, POSTER);
      const tool = page.getByRole('button', { name: 'Select text' });
      const off = await tool.evaluate((button) => getComputedStyle(button).backgroundColor);
      await tool.click();
      await expect
        .poll(() => tool.evaluate((button) => getComputedStyle(button).backgroundColor))
        .not.toBe(off);
      await page.keyboard.press('ControlOrMeta+a');
      await expect(page.locator('.word-boxes .marked')).toHaveCount(1);
      await expectAccessible();
    });
  });
}

test.describe('before it is read', () => {
  /** Width and height of the picture that is shown, in its own pixels. */
  const sizeShown = (page: Page) =>
    page.locator('.crop-marks img').evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    });

  test('the button stays in its place when the tools of the picture come @every-width', async ({ page }) => {
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

  test('a picture is turned and cropped by mouse, reset, and what is seen is what is read and kept', async ({
    page,
    expectAccessible,
  }) => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    const edit = page.getByRole('group', { name: 'Turn and crop' });
    await edit.getByRole('button', { name: 'Turn right' }).click();
    await expect.poll(() => sizeShown(page)).toEqual([520, 900]);
    await edit.getByRole('button', { name: 'Turn left' }).click();
    await expect.poll(() => sizeShown(page)).toEqual([900, 520]);
    await expectAccessible();

    await edit.getByRole('button', { name: 'Crop' }).click();
    const frame = page.getByRole('group', { name: 'The part to keep' });
    const { x, y, width, height } = (await frame.boundingBox())!;
    await drawMouse(page, { x: x + width, y: y + height }, { x: x + width, y: y + height * 0.35 });
    await expectAccessible();
    await edit.getByRole('button', { name: 'Keep this part' }).click();
    await expect.poll(async () => (await sizeShown(page))[1]).toBeLessThan(200);
    await edit.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => sizeShown(page)).toEqual([900, 520]);

    await edit.getByRole('button', { name: 'Crop' }).click();
    await expect(frame).toBeVisible();
    await drawMouse(page, { x: x + width, y: y + height }, { x: x + width, y: y + height * 0.22 });
    // Asking for the text takes what is marked.
    await tool.read();
    await expect(tool.text).toHaveValue(/^Harbour Lane Bakery$/);
    await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
    await page.reload();
    await page
      .getByRole('region', { name: 'Recent results' })
      .getByRole('button', { name: /note\.png/ })
      .first()
      .click();
    await expect(tool.text).toHaveValue(/^Harbour Lane Bakery$/);
  });

  test('what is read while nothing is taken off is the whole picture', async ({ page }) => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    await page.getByRole('button', { name: 'Crop', exact: true }).click();
    await expect(page.getByRole('group', { name: 'The part to keep' })).toBeVisible();
    await tool.read();
    await expect(tool.text).toHaveValue(/plum jam/);
  });

  test('a picture is cropped by keys alone, and Escape leaves it as it was', async ({ page }) => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    const crop = page.getByRole('button', { name: 'Crop', exact: true });
    await crop.focus();
    await page.keyboard.press('Enter');
    const middle = page.getByRole('button', { name: 'The part to keep. Arrow keys move it.' });
    await expect(middle).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(crop).toBeFocused();
    expect(await sizeShown(page)).toEqual([900, 520]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Bottom right corner' }).focus();
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => sizeShown(page)).toEqual([810, 468]);
  });

  test('what a camera says of its picture is heeded, once', async ({ page }) => {
    const tool = await openTool(page);
    await tool.choose(CAMERA);
    await expect.poll(() => sizeShown(page)).toEqual([900, 520]);
    await page.getByRole('button', { name: 'Turn right' }).click();
    await expect.poll(() => sizeShown(page)).toEqual([520, 900]);
    await page.getByRole('button', { name: 'Turn left' }).click();
    await expect.poll(() => sizeShown(page)).toEqual([900, 520]);
    await tool.read();
    await expect(tool.text).toHaveValue(/Harbour Lane Bakery/);
  });

  test('what this browser cannot draw is not offered to be turned', async ({ page }) => {
    const tool = await openTool(page);
    await tool.choose(NOTE_TIFF);
    await expect(page.getByRole('img', { name: 'Preview of note.tif' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Turn and crop' })).toBeHidden();
  });

  test.describe('by finger', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 812 } });

    test('a picture is turned and cropped', async ({ page }) => {
      const tool = await openTool(page);
      await tool.choose(NOTE);
      await page.getByRole('button', { name: 'Crop', exact: true }).tap();
      const frame = page.getByRole('group', { name: 'The part to keep' });
      const { x, y, width, height } = (await frame.boundingBox())!;
      await drawFinger(page, [
        { x: x + width, y: y + height },
        { x: x + width, y: y + height / 2 },
      ]);
      // The first tap after a finger was drawn only ends the movement that Chromium believes it left behind.
      await page.touchscreen.tap(4, 4);
      await page.getByRole('button', { name: 'Keep this part' }).tap();
      await expect.poll(async () => (await sizeShown(page))[1]).toBeLessThan(300);
      await page.getByRole('button', { name: 'Turn right' }).tap();
      await expect.poll(async () => (await sizeShown(page))[1]).toBe(900);
    });
  });
});

import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { extractText, previewPicture } from '#contract/calls/recognition';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import {
  clipboard,
  middleOf,
  openResult,
  pictureFile,
  readingOf,
} from '../../../../tests/component/extraction.ts';
import { requestCount, worker } from '../../../../tests/component/server.ts';
import {
  countOnPicture,
  lastUpload,
  overflow,
  picture,
  selectedText,
  tap,
  wordBar,
  wordBox,
} from '../../../../tests/component/workspace.ts';

beforeEach(() => commands.holdClipboard());

const button = (name: string) => page.getByRole('button', { name });
const partBar = () => page.getByRole('toolbar', { name: 'Part of the picture' });
const partFrame = () => page.getByRole('group', { name: 'Part of the picture' });

/** Presses a button by key. */
async function pressKey(name: string) {
  (button(name).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
}

describe('words on the picture', () => {
  test('picture: a drag over words selects them, and Copy copies their edited text', async () => {
    const tool = await openResult();
    await tool.text.fill(tool.area().value.replace('Two loaves', 'Ten loaves'));
    await commands.drag([middleOf(wordBox(1)), middleOf(wordBox(4))]);
    await expect.element(wordBar()).toBeVisible();
    await expectAccessible();
    await wordBar().getByRole('button', { name: 'Copy' }).click();
    await expect.element(toast()).toHaveTextContent(/Copied!/);
    expect(await clipboard()).toMatch(/^Lane Bakery\n+Ten loaves$/);

    picture().focus();
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}{Control>}c{/Control}');
    await expect.poll(clipboard).toMatch(/^Lane Bakery\n+Ten loaves of$/);
    await userEvent.keyboard('{Escape}');
    await expect.element(wordBar()).not.toBeInTheDocument();
    expect(countOnPicture('.marked')).toBe(0);
  });

  test('picture: a double click selects a word, a triple click its line, and "Show in text" selects it there', async () => {
    const tool = await openResult();
    await commands.mouse('click', middleOf(wordBox(2)), { clickCount: 2 });
    await wordBar().getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toBe('Bakery');
    await commands.mouse('click', middleOf(wordBox(2)), { clickCount: 3 });
    await wordBar().getByRole('button', { name: 'Show in text' }).click();
    await expect.element(tool.text).toHaveFocus();
    await expect.poll(selectedText).toBe('Harbour Lane Bakery');
  });

  test('picture: a drag along a slanted line selects the line in reading order', async () => {
    const tool = await openResult('note-slanted');
    const text = tool.area().value;
    const line = text.split('\n').find((words) => words.includes('plum'))!;
    const words = text.split(/\s+/);
    const [first, last] = [words.indexOf(line.split(' ')[0]!), words.indexOf(line.split(' ').at(-1)!)];
    await commands.drag([middleOf(wordBox(first)), middleOf(wordBox(last))]);
    await wordBar().getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toBe(line);
  });

  test('picture: words are selected by keyboard, announced and copied', async () => {
    const tool = await openResult();
    picture().focus();
    await userEvent.keyboard('{Enter}');
    const announced = page.getByRole('status').filter({ hasText: /selected/i });
    await expect.element(announced).toHaveTextContent(/^Selected: Harbour$/);
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(announced).toHaveTextContent(/^Selected: Lane$/);
    await userEvent.keyboard('{ArrowDown}{Home}');
    await expect.element(announced).toHaveTextContent(/^Selected: Two$/);
    await userEvent.keyboard('{Shift>}{End}{/Shift}');
    await expect.element(announced).toHaveTextContent(/^\d words selected, from Two to /);
    await expectAccessible();
    await userEvent.keyboard('{Control>}a{/Control}{Control>}c{/Control}');
    await expect.poll(clipboard).toBe(tool.area().value);
    await userEvent.keyboard('{Escape}');
    await expect.element(announced).not.toBeInTheDocument();
  });

  test('picture: if copying is not allowed, the selected words are selected in the text', async () => {
    const tool = await openResult();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await commands.mouse('click', middleOf(wordBox(2)), { clickCount: 2 });
    await userEvent.keyboard('{Control>}c{/Control}');
    await expect.element(toast()).toHaveTextContent(/Copy failed/);
    await expect.element(tool.text).toHaveFocus();
    await expect.poll(selectedText).toBe('Bakery');
  });
});

describe('a region of the picture', () => {
  test('picture: a drawn region can be copied, and can be read as one separate extraction', async () => {
    const tool = await openResult();
    await button('Region').click();
    const [first, last] = [wordBox(0), wordBox(7)].map((word) => word.getBoundingClientRect());
    await commands.drag([
      { x: first!.x - 8, y: first!.y - 8 },
      { x: last!.right + 40, y: last!.bottom + 6 },
    ]);
    await expect.element(partBar()).toHaveTextContent(/Reading it counts as 1 extraction/);
    await expectAccessible();
    await partBar().getByRole('button', { name: 'Copy text in it' }).click();
    await expect.poll(clipboard).toMatch(/^Harbour Lane Bakery\n+Two loaves of rye bread$/);

    const part = readingOf('note');
    part.lines = part.lines.slice(0, 2);
    part.extractedText = part.lines.map(({ text }) => text).join('\n');
    tool.state.extraction = part;
    const sent = requestCount('POST /api/extract-text');
    await partBar().getByRole('button', { name: 'Read only this' }).click();
    await expect.element(page.getByRole('img', { name: 'The original: note-part.png' })).toBeVisible();
    await expect.poll(() => tool.area().value).toMatch(/^Harbour Lane Bakery\s+Two loaves of rye bread$/);
    expect(requestCount('POST /api/extract-text')).toBe(sent + 1);

    const { file } = await lastUpload();
    const { width, height } = await createImageBitmap(file);
    const { box: heading } = readingOf('note').lines[0]!;
    const { box: below } = part.lines[1]!;
    expect(file.name).toBe('note-part.png');
    expect(width).toBeGreaterThan(heading.width);
    expect(width).toBeLessThan(900);
    expect(height).toBeGreaterThan(below.y + below.height - heading.y);
    expect(height).toBeLessThan(300);
    await expect.element(page.getByRole('region', { name: 'Recent results' })).toHaveTextContent(/note\.png/);
  });

  test('picture: if reading a region fails, the text and its picture stay unchanged', async () => {
    const tool = await openResult();
    const before = tool.area().value;
    await pressKey('Region');
    await userEvent.keyboard('{Tab}');
    worker.use(http.post(extractText.path, () => HttpResponse.html('not an answer of the contract')));
    await partBar().getByRole('button', { name: 'Read only this' }).click();
    await expect
      .element(page.getByRole('main').getByRole('alert').filter({ hasText: 'Extraction failed' }))
      .toBeVisible();
    await expect.element(tool.text).toHaveValue(before);
    await expect.element(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
  });

  test('picture: a region is placed, moved, resized and removed by keyboard', async () => {
    await openResult();
    await pressKey('Region');
    await expect.element(partFrame()).toBeVisible();
    const box = () => partFrame().element().getBoundingClientRect();
    const before = box();
    const focus = (name: string) =>
      (partFrame().getByRole('button', { name }).element() as HTMLElement).focus();
    focus('Part of the picture. Arrow keys move it.');
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await expect.poll(() => box().x).toBeLessThan(before.x);
    const moved = box();
    expect(moved.width).toBeCloseTo(before.width, 0);
    focus('Bottom right corner');
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(() => box().width).toBeGreaterThan(moved.width);
    await userEvent.keyboard('{Escape}');
    await expect.element(partFrame()).not.toBeInTheDocument();
  });

  test('picture: a region of a picture that the browser cannot decode can be copied but not read', async () => {
    const shown = await pictureFile('note');
    worker.use(
      http.post(
        previewPicture.path,
        () => new HttpResponse(shown, { headers: { 'content-type': 'image/png' } }),
      ),
    );
    await openResult('note-tiff');
    await pressKey('Region');
    await expect.element(partBar().getByRole('button', { name: 'Copy text in it' })).toBeVisible();
    expect(partBar().getByRole('button', { name: 'Read only this' }).query()).toBeNull();
  });
});

describe('on a touch screen', () => {
  beforeEach(async () => {
    await page.viewport(375, 812);
    await commands.emulateTouch(true);
  });

  test('picture: a long press selects a word and a drag extends the selection; a swipe only scrolls', async () => {
    await openResult();
    const places = () => [middleOf(wordBox(1)), middleOf(wordBox(4))] as const;
    await commands.touch([...places()]);
    await expect.element(wordBar()).not.toBeInTheDocument();

    const [lane, loaves] = places();
    await commands.touchEvent('touchStart', [lane]);
    await expect.poll(() => countOnPicture('.marked')).toBe(1);
    for (let step = 1; step <= 4; step += 1)
      await commands.touchEvent('touchMove', [
        { x: lane.x + ((loaves.x - lane.x) * step) / 4, y: lane.y + ((loaves.y - lane.y) * step) / 4 },
      ]);
    await commands.touchEvent('touchEnd', []);
    await expect.poll(() => document.querySelectorAll('.mark-handle')).toHaveLength(2);
    await tap(wordBar().getByRole('button', { name: 'Copy' }));
    await expect.poll(clipboard).toMatch(/^Lane Bakery\n+Two loaves$/);

    const end = middleOf(document.querySelector('.mark-handle[data-handle=end]')!);
    const of = middleOf(wordBox(5));
    await commands.touch([end, { x: end.x + of.x - middleOf(wordBox(4)).x + 4, y: end.y }]);
    await tap(wordBar().getByRole('button', { name: 'Copy' }));
    await expect.poll(clipboard).toMatch(/^Lane Bakery\n+Two loaves of/);
  });

  test('picture: with "Select text" a finger selects without a long press', async () => {
    const tool = await openResult();
    await tap(button('Select text'));
    await commands.touch([middleOf(wordBox(3)), middleOf(wordBox(7))]);
    await expect.element(wordBar()).toBeVisible();
    await expectAccessible();
    await tap(wordBar().getByRole('button', { name: 'Copy' }));
    await expect.poll(clipboard).toBe('Two loaves of rye bread');
    await tap(wordBar().getByRole('button', { name: 'Show in text' }));
    await expect.element(tool.text).toHaveFocus();
  });

  test('picture: touch targets are at least 44 pixels large, and the page does not overflow', async () => {
    await openResult('poster');
    await tap(button('Region'));
    const { x, y, width, height } = picture().getBoundingClientRect();
    await commands.touch([
      { x: x + 60, y: y + height / 2 - 40 },
      { x: x + width - 60, y: y + height / 2 + 40 },
    ]);
    await expect.element(partBar()).toBeVisible();
    const found = page.getByRole('region', { name: 'Found on the picture' }).getByRole('button');
    await expect.element(found.first()).toBeVisible();
    for (const element of [...partBar().getByRole('button').elements(), ...found.elements()]) {
      const box = element.getBoundingClientRect();
      expect(Math.min(box.width, box.height), element.textContent ?? '').toBeGreaterThanOrEqual(44);
    }
    expect(overflow()).toBe(0);
  });
});

test.each([
  { forcedColors: 'none', width: 1440 },
  { forcedColors: 'active', width: 1440 },
  { forcedColors: 'active', width: 375 },
] as const)(
  'picture: selected words and the active tool are visible with %o',
  async ({ forcedColors, width }) => {
    await page.viewport(width, 812);
    await commands.emulateMedia({ forcedColors });
    await openResult('poster');
    const tool = button('Select text');
    const background = () => getComputedStyle(tool.element()).backgroundColor;
    const off = background();
    await tool.click();
    await expect.poll(background).not.toBe(off);
    await userEvent.keyboard('{Control>}a{/Control}');
    await expect.poll(() => countOnPicture('.marked')).toBe(1);
    await expectAccessible();
  },
);

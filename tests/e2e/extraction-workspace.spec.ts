import type { Locator, Page } from '@playwright/test';
import { extractText } from '#contract/calls/recognition';
import type { Extraction } from '#contract/extraction';
import { changeExtraction, NOTE, openTool } from './extraction-page.ts';
import { PATIENT } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT });

async function readNote(page: Page) {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  return tool;
}

interface Changes {
  /** Words that become doubtful. */
  doubtful?: string[];
  /** What else such a word could say. */
  readings?: Record<string, string[]>;
  /** What else was left out. */
  hidden?: Extraction['hidden'];
}

/** The engine's own reading with something else in it: no picture is misread in one way for ever. */
async function changeReading(
  page: Page,
  { doubtful = [], readings = {}, hidden = [] }: Changes,
): Promise<void> {
  await changeExtraction(
    page,
    (reading, changes) => {
      for (const word of reading.lines.flatMap(({ words }) => words)) {
        if (!changes.doubtful.includes(word.text)) continue;
        word.confidence = 41;
        const others = changes.readings[word.text];
        if (others) word.readings = others;
      }
      reading.hidden.push(...changes.hidden);
    },
    { doubtful, readings, hidden },
  );
}

const selected = (page: Page) =>
  page
    .getByRole('textbox', { name: 'Extracted text' })
    .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));

const marked = (page: Page, state: string) => page.locator(`.text-editor [data-state=${state}]`);

test('a word that is pressed in the picture is selected in the text', async ({ page }) => {
  const tool = await readNote(page);
  const bakery = page.locator('.word-boxes rect[data-piece="2"]');
  await bakery.hover();
  await expect(marked(page, 'hovered')).toHaveText('Bakery');
  await bakery.click();
  expect(await selected(page)).toBe('Bakery');
  await expect(tool.text).toBeFocused();
  await expect(page.locator('.word-boxes rect.active')).toHaveCount(1);
});

test('the word at the caret is shown in the picture', async ({ page }) => {
  const tool = await readNote(page);
  await tool.text.focus();
  await page.keyboard.press('Control+Home');
  await expect(marked(page, 'active')).toHaveText('Harbour');
  await expect(page.locator('.word-boxes rect.active')).toHaveCount(1);
});

test('words keep their places while the text is edited, and undo brings the text back', async ({ page }) => {
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  await tool.text.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('At the ');
  const bakery = page.locator('.word-boxes rect[data-piece="2"]');
  await bakery.hover();
  await expect(marked(page, 'hovered')).toHaveText('Bakery');
  await tool.text.focus();
  await page.keyboard.press('Control+z');
  await expect(tool.text).toHaveValue(before);
  await page.keyboard.press('Control+Shift+z');
  await expect(tool.text).toHaveValue(`At the ${before}`);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect(tool.text).toHaveValue(before);
});

test('marks lie exactly under their words', async ({ page }) => {
  const tool = await readNote(page);
  await tool.text.fill(`${'long words wrap around '.repeat(12)}\n\n\tTabbed   and  spaced\nlast line\n`);
  const heights = await page.locator('.text-editor').evaluate((editor) => {
    const [copy, area] = [...editor.children] as [HTMLElement, HTMLTextAreaElement];
    return { copy: copy.scrollHeight, area: area.scrollHeight, shown: area.clientHeight };
  });
  expect(heights.area).toBe(heights.copy);
  expect(heights.shown).toBe(heights.copy);
});

test('lines are rejoined into paragraphs and parted again', async ({ page }) => {
  const tool = await readNote(page);
  const lines = await tool.text.inputValue();
  const layout = page.getByRole('group', { name: 'Text as' });
  await layout.getByText('Paragraphs').click();
  await expect(tool.text).not.toHaveValue(lines);
  await layout.getByText('Lines').click();
  await expect(tool.text).toHaveValue(lines);
});

test('laid out anew, the text stays at the word where the caret stood, or at its first line', async ({
  page,
}) => {
  const tool = await readNote(page);
  const layout = page.getByRole('group', { name: 'Text as' });
  const caret = () =>
    tool.text.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart).slice(0, 6));
  await layout.getByText('Paragraphs').click();
  await expect.poll(caret).toBe('Harbou');
  await expect(marked(page, 'active')).toHaveCount(0);
  await tool.text.press('Control+Home');
  for (let letter = 0; letter < 'Harbour Lane Ba'.length; letter++) await tool.text.press('ArrowRight');
  await expect(marked(page, 'active')).toHaveText('Bakery');
  for (const view of ['Lines', 'Layout', 'Paragraphs']) {
    await layout.getByText(view).click();
    expect(await caret()).toMatch(/^kery/);
    await expect(marked(page, 'active')).toHaveText('Bakery');
  }
});

test('the picture is zoomed by buttons, keys and the wheel', async ({ page }) => {
  await readNote(page);
  const zoom = page.getByRole('status', { name: 'Zoom' });
  const fit = await zoom.textContent();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(zoom).not.toHaveText(fit ?? '');
  await page.getByRole('button', { name: '100 %' }).click();
  await expect(zoom).toHaveText('100%');
  await page.getByRole('region', { name: /Original picture/ }).press('0');
  await expect(zoom).toHaveText(fit ?? '');
  await page.getByRole('region', { name: /Original picture/ }).hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect(zoom).not.toHaveText(fit ?? '');
});

test('doubtful words are stepped through, corrected or said to be right, until none is left', async ({
  page,
  expectAccessible,
}) => {
  await changeReading(page, { doubtful: ['Lane', 'rye', 'plum'] });
  const tool = await readNote(page);
  await expect(page.getByText('3 doubtful words')).toBeVisible();
  await expect(page.locator('.word-boxes rect.doubt')).toHaveCount(3);

  await page.getByRole('button', { name: 'Next doubtful word' }).click();
  await expect(page.getByRole('button', { name: 'Looks right' })).toBeFocused();
  expect(await selected(page)).toBe('Lane');
  await expect(page.getByText('41% sure').last()).toBeVisible();
  await expectAccessible();
  await page.keyboard.press('F2');
  expect(await selected(page)).toBe('rye');
  await page.keyboard.press('F2');
  await page.keyboard.press('F2');
  expect(await selected(page), 'after the last comes the first').toBe('Lane');
  await page.keyboard.press('Shift+F2');
  expect(await selected(page)).toBe('plum');

  await page.getByRole('button', { name: 'Looks right' }).click();
  expect(await selected(page)).toBe('Lane');
  await page.keyboard.press('Alt+Enter');
  expect(await selected(page)).toBe('rye');
  await page.keyboard.type('spelt');
  await expect(page.getByText('No doubtful words left')).toBeVisible();
  await expect(page.locator('.word-boxes rect.doubt')).toHaveCount(0);
  await expect(tool.text).toHaveValue(/Two loaves of spelt bread/);
});

const RYE = { doubtful: ['Lane', 'rye', 'plum'], readings: { rye: ['eye', 'rue'], plum: ['plumb'] } };
/** The bar in which a doubtful word is looked at, with its word. */
const looksRight = (page: Page) => page.getByRole('button', { name: 'Looks right' });

test('a doubtful word is shown enlarged with its other readings, and the mouse takes one or finds it right, each undone in one step', async ({
  page,
  expectAccessible,
}) => {
  await changeReading(page, RYE);
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  const next = page.getByRole('button', { name: 'Next doubtful word' });
  const undo = page.getByRole('button', { name: 'Undo' });
  await next.click();
  await expect(page.getByRole('group', { name: 'It says something else' }), 'Lane has none').toHaveCount(0);
  await next.click();
  await expect(page.locator('.word-crop img')).toBeVisible();
  await expect(page.getByRole('group', { name: 'It says something else' }).getByRole('button')).toHaveText([
    '1eye',
    '2rue',
  ]);
  await expectAccessible();

  await page.getByRole('button', { name: 'eye', exact: true }).click();
  await expect(tool.text).toHaveValue(before.replace('rye', 'eye'));
  expect(await selected(page), 'it goes on').toBe('plum');
  await undo.click();
  await expect(tool.text).toHaveValue(before);
  expect(await selected(page), 'and comes back').toBe('rye');
  await expect(page.getByRole('button', { name: 'rue', exact: true })).toBeVisible();

  await looksRight(page).click();
  expect(await selected(page)).toBe('plum');
  await expect(marked(page, 'doubtful')).toHaveText(['Lane']);
  await undo.click();
  expect(await selected(page)).toBe('rye');
  await expect(tool.text).toHaveValue(before);
});

test('a page is checked by keys alone: figures take readings, Enter says that a word looks right, letters write it anew', async ({
  page,
}) => {
  await changeReading(page, RYE);
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  await page.keyboard.press('F2');
  await expect(looksRight(page)).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await selected(page)).toBe('rye');
  await page.keyboard.press('2');
  await expect(tool.text).toHaveValue(before.replace('rye', 'rue'));
  expect(await selected(page)).toBe('plum');
  await page.keyboard.press('1');
  await expect(tool.text).toHaveValue(before.replace('rye', 'rue').replace('plum', 'plumb'));
  await expect(page.getByText('No doubtful words left')).toBeVisible();

  await page.keyboard.press('Control+z');
  await expect(looksRight(page)).toBeFocused();
  expect(await selected(page)).toBe('plum');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  expect(await selected(page)).toBe('Lane');
  await expect(tool.text).toHaveValue(before);

  await page.keyboard.type('Road');
  await expect(tool.text).toBeFocused();
  await expect(tool.text).toHaveValue(before.replace('Lane', 'Road'));
  await page.keyboard.press('Control+z');
  await expect(tool.text, 'a word that was written over another goes at once').toHaveValue(before);

  await page.keyboard.press('F2');
  await page.keyboard.press('Escape');
  await expect(page.locator('.word-crop')).toHaveCount(0);
});

test('a word that was found right stays so when the text is laid out anew and when it is opened again', async ({
  page,
}) => {
  await changeReading(page, RYE);
  await readNote(page);
  await page.keyboard.press('F2');
  await looksRight(page).click();
  const layout = page.getByRole('group', { name: 'Text as' });
  await layout.getByText('Paragraphs').click();
  await layout.getByText('Lines').click();
  // The caret has stayed at the next one.
  await expect(marked(page, 'active')).toHaveText('rye');
  await expect(marked(page, 'doubtful')).toHaveText(['plum']);

  await page.reload();
  const kept = page.getByRole('region', { name: 'Recent results' }).getByRole('listitem');
  await kept.first().getByRole('button', { name: 'Open' }).click();
  await expect(marked(page, 'doubtful')).toHaveText(['rye', 'plum']);
});

test('the picture goes to a doubtful word, and so close that it can be read', async ({ page }) => {
  await changeReading(page, RYE);
  await readNote(page);
  const region = page.getByRole('region', { name: /Original picture/ });
  for (let times = 0; times < 8; times++) await region.press('-');
  await page.keyboard.press('F2');
  const word = page.locator('.word-boxes rect.active');
  await expect.poll(async () => (await word.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(27);
  await expect(word).toBeInViewport();
});

test('a text without doubts says so, and the two lines under words are explained where there are some', async ({
  page,
}) => {
  await readNote(page);
  await expect(page.getByText('No doubtful words', { exact: true })).toBeVisible();
  await expect(page.getByText('slight doubt')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test('a doubtful word is checked at the bottom of the screen, and no keyboard opens', async ({
    page,
    expectAccessible,
  }) => {
    await changeReading(page, RYE);
    const tool = await readNote(page);
    const before = await tool.text.inputValue();
    await expect(page.getByText('slight doubt')).toBeVisible();
    const next = page.getByRole('button', { name: 'Next doubtful word' });
    await next.tap();
    const dock = page.getByRole('region', { name: 'Doubtful word' });
    await next.tap();
    await expect(dock).toContainText('rye');
    await expect(tool.text).not.toBeFocused();
    await expectAccessible();
    const box = await dock.boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(812);
    for (const button of await dock.getByRole('button').all()) {
      const size = await button.boundingBox();
      expect(size?.height).toBeGreaterThanOrEqual(44);
    }
    await dock.getByRole('button', { name: 'rue' }).tap();
    await expect(tool.text).toHaveValue(before.replace('rye', 'rue'));
    await expect(dock).toContainText('plum');
    await dock.getByRole('button', { name: 'Looks right' }).tap();
    await expect(dock).toContainText('Lane');
    await expect(tool.text).not.toBeFocused();
    await dock.getByRole('button', { name: 'Close' }).tap();
    await expect(dock).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});

test('what was hidden is shown in the picture, brought back into its place, and hidden again', async ({
  page,
  expectAccessible,
}) => {
  const box = { x: 480, y: 62, width: 40, height: 36 };
  await changeReading(page, {
    hidden: [
      { text: 'Menu', confidence: 90, box, reason: 'interface', at: { line: 0, word: 3 } },
      {
        text: '9:41',
        confidence: 88,
        box: { ...box, y: 8 },
        reason: 'interface',
        at: { line: 0, word: null },
      },
    ],
  });
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  await expect(page.getByText('2 pieces hidden')).toBeVisible();
  await expect(page.locator('.word-boxes rect.left-out')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.locator('.word-boxes rect.left-out')).toHaveCount(2);
  await expectAccessible();

  await page.getByRole('button', { name: 'Bring back: Menu' }).click();
  await expect(tool.text).toHaveValue(before.replace('Harbour Lane Bakery', 'Harbour Lane Bakery Menu'));
  await expect(page.getByText('1 piece hidden')).toBeVisible();
  await expect(page.locator('.word-boxes rect.left-out')).toHaveCount(1);
  await page.getByRole('button', { name: 'Hide again: Menu' }).click();
  await expect(tool.text).toHaveValue(before);

  await page.getByRole('button', { name: 'Bring all back' }).click();
  await expect(tool.text).toHaveValue(`9:41\n${before.replace('Bakery', 'Bakery Menu')}`);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect(tool.text).toHaveValue(before);
  await expect(page.getByText('2 pieces hidden')).toBeVisible();
});

test('the switch above a text brings back what was filtered and hides it again, and nothing is sent for it', async ({
  page,
}) => {
  const box = { x: 480, y: 62, width: 40, height: 36 };
  await changeReading(page, {
    hidden: [
      { text: 'Menu', confidence: 90, box, reason: 'interface', at: { line: 0, word: 3 } },
      { text: '9:41', confidence: 88, box, reason: 'interface', at: { line: 0, word: null } },
    ],
  });
  const tool = await readNote(page);
  const before = await tool.text.inputValue();
  const unfiltered = `9:41\n${before.replace('Bakery', 'Bakery Menu')}`;
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(extractText.path)) sent += 1;
  });
  const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });

  await filtering.click();
  await expect(tool.text).toHaveValue(unfiltered);
  await tool.text.press('Control+End');
  await page.keyboard.type(' tonight');
  await filtering.focus();
  await page.keyboard.press('Space');
  await expect(tool.text).toHaveValue(`${before} tonight`);
  await page.keyboard.press('Space');
  await expect(tool.text).toHaveValue(/Bakery Menu/);
  await page.getByRole('button', { name: 'Reset edits' }).click();
  await expect(tool.text).toHaveValue(before);
  expect(sent).toBe(0);
});

test.describe('on a screen that is touched', () => {
  test.use({ hasTouch: true });

  /** Where the word in the middle of the picture is on the screen, and how large it is drawn. */
  async function middleWord(page: Page) {
    const word = page.locator('.word-boxes rect[data-piece="10"]');
    const box = await word.boundingBox();
    if (!box) throw new Error('the word is not drawn');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
  }

  /** Two fingers, left and right of a point, that go from one distance to another while the point moves along. */
  async function pinch(page: Page, at: { x: number; y: number }, apart: [number, number], along = 0) {
    const touches = await page.context().newCDPSession(page);
    const fingers = (share: number) => {
      const half = (apart[0] + (apart[1] - apart[0]) * share) / 2;
      const x = at.x + along * share;
      return [
        { x: x - half, y: at.y, id: 0 },
        { x: x + half, y: at.y, id: 1 },
      ];
    };
    await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(0) });
    for (let step = 1; step <= 8; step++) {
      await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(step / 8) });
    }
    await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await touches.detach();
  }

  test('two fingers zoom the picture around what lies between them, carry it along, and leave the page as it is', async ({
    page,
  }) => {
    await readNote(page);
    const region = page.getByRole('region', { name: /Original picture/ });
    await region.press('1');
    for (let times = 0; times < 5; times++) await region.press('+');
    const zoom = page.getByRole('status', { name: 'Zoom' });
    await expect(zoom).toHaveText('305%');
    await page.locator('.word-boxes rect[data-piece="10"]').scrollIntoViewIfNeeded();

    const before = await middleWord(page);
    await pinch(page, before, [60, 120]);
    await expect(zoom).toHaveText('610%');
    const closer = await middleWord(page);
    expect(closer.width / before.width).toBeCloseTo(2, 1);
    expect(Math.abs(closer.x - before.x)).toBeLessThan(3);
    expect(Math.abs(closer.y - before.y)).toBeLessThan(3);

    await pinch(page, closer, [100, 100], 80);
    const carried = await middleWord(page);
    expect(carried.width).toBeCloseTo(closer.width, 0);
    expect(Math.abs(carried.x - closer.x - 80)).toBeLessThan(3);

    await pinch(page, carried, [200, 10]);
    await expect(page.getByRole('button', { name: 'Fit' })).toHaveAttribute('aria-pressed', 'true');
    expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  });

  test('two taps close up on what they touch, two more show all of it again', async ({ page }) => {
    await readNote(page);
    const fit = page.getByRole('button', { name: 'Fit' });
    await expect(fit).toHaveAttribute('aria-pressed', 'true');
    const far = await middleWord(page);
    const touches = await page.context().newCDPSession(page);
    const tapTwice = async () => {
      const touchPoints = [await middleWord(page)].map(({ x, y }) => ({ x, y }));
      // Its own clock, so that a busy machine does not part the taps.
      const now = Date.now() / 1000;
      for (const [type, time] of [
        ['touchStart', 0],
        ['touchEnd', 0.03],
        ['touchStart', 0.12],
        ['touchEnd', 0.15],
      ] as const) {
        await touches.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchStart' ? touchPoints : [],
          timestamp: now + time,
        });
      }
    };
    await tapTwice();
    await expect(fit).toHaveAttribute('aria-pressed', 'false');
    expect((await middleWord(page)).width).toBeGreaterThan(far.width * 1.3);
    await tapTwice();
    await expect(fit).toHaveAttribute('aria-pressed', 'true');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('every state of the tool is accessible @every-width', async ({ page, expectAccessible }) => {
      // The whole page is looked through five times, which takes its time on a busy machine.
      test.slow();
      const tool = await openTool(page);
      await expectAccessible();
      await tool.file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid file type' })).toBeVisible();
      await expectAccessible();
      await tool.choose(NOTE);
      await expect(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
      await expectAccessible();
      await tool.read();
      await expect(tool.text).toHaveValue(/Harbour/);
      await expectAccessible();
      const picture = page.getByRole('tab', { name: 'Picture' });
      if (await picture.isVisible()) {
        await picture.click();
        await expect(page.getByRole('img', { name: 'The original: note.png' })).toBeVisible();
        await expectAccessible();
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    });
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in colours that somebody chose for everything, on ${colorScheme} ground`, () => {
    test.use({ colorScheme, forcedColors: 'active' });

    test('what is switched on, how far it is, what is chosen and what is doubtful can be told apart', async ({
      page,
      expectAccessible,
    }) => {
      await changeReading(page, { doubtful: ['Harbour'] });
      const tool = await openTool(page);
      const filtering = page.getByRole('switch', { name: 'Smart Text Filtering' });
      const look = (locator: Locator, property: string, pseudo?: string) =>
        locator.evaluate((element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name), [
          property,
          pseudo,
        ] as const);
      const on = [
        await look(filtering, 'background-color'),
        await look(filtering, 'background-color', '::before'),
      ];
      await filtering.click();
      await expect
        .poll(() => look(filtering, 'background-color'), { message: 'off looks another than on' })
        .not.toBe(on[0]);
      expect(on[0], 'the knob lies on something else').not.toBe(on[1]);
      await filtering.click();

      await tool.choose(NOTE);
      await tool.read();
      await expectAccessible();
      const lines = page.locator('label', { hasText: 'Lines' });
      const paragraphs = page.locator('label', { hasText: 'Paragraphs' });
      expect(await look(lines, 'background-color')).not.toBe(await look(paragraphs, 'background-color'));
      const doubt = marked(page, 'doubtful').first();
      expect(await look(doubt, 'text-decoration-line')).toBe('underline');
      expect(await look(doubt, 'text-decoration-color')).not.toBe(await look(doubt, 'color'));
      await page.getByRole('button', { name: 'Next doubtful word' }).click();
      expect(await look(marked(page, 'active').first(), 'outline-style')).toBe('solid');
    });
  });
}

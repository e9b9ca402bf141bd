import type { Page } from '@playwright/test';
import type { Extraction } from '#contract/extraction';
import { changeExtraction, NOTE, openTool } from './extraction-page.ts';
import { boxesOf, PATIENT } from './people.ts';
import { expect, test } from './test.ts';

test.use({ settings: PATIENT });

/** The engine's own reading so many times below itself. */
const COPIES = 60;

/** Runs in the page. */
function repeat(reading: Extraction, { copies }: { copies: number }) {
  const { lines, extractedText, image } = reading;
  const paragraphs = 1 + (lines.at(-1)?.paragraph ?? 0);
  const below = <T extends { box: Extraction['lines'][number]['box'] }>(part: T, copy: number): T => ({
    ...part,
    box: { ...part.box, y: (part.box.y + copy * image.height) / copies, height: part.box.height / copies },
  });
  reading.lines = Array.from({ length: copies }, (_, copy) =>
    lines.map((line) => ({
      ...below(line, copy),
      paragraph: line.paragraph + copy * paragraphs,
      words: line.words.map((word) => below(word, copy)),
    })),
  ).flat();
  reading.extractedText = Array.from({ length: copies }, () => extractedText).join('\n');
}

async function readLongText(page: Page) {
  await changeExtraction(page, repeat, { copies: COPIES });
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await tool.read();
  expect((await tool.text.inputValue()).split(/\s+/).length).toBeGreaterThan(1000);
  return tool;
}

/** Which elements of the result are changed by something: they themselves, their text, or what is in them. */
async function touchedBy(page: Page, act: () => Promise<void>) {
  const touched = await page.evaluateHandle(() => {
    const elements = new Set<Element>();
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element) elements.add(element);
      }
    }).observe(document.querySelector('[data-extraction=result] section:has(.text-editor)')!, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    return elements;
  });
  await act();
  // What is told late is told as well.
  await page.waitForTimeout(600);
  return touched.evaluate((elements) => {
    const within = (selector: string) => [...elements].filter((element) => element.closest(selector));
    const inCopy = within('.text-editor > div');
    const onPicture = within('.picture-viewport');
    const elsewhere = [...elements].filter(
      (element) => !inCopy.includes(element) && !onPicture.includes(element),
    );
    return {
      inCopy: inCopy.length,
      onPicture: onPicture.length,
      elsewhere: elsewhere.map(({ outerHTML }) => outerHTML.slice(0, 80)),
    };
  });
}

test('a letter that is typed into a long text has its line drawn anew, and nothing on the picture', async ({
  page,
}) => {
  const tool = await readLongText(page);
  await tool.text.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  // The first one wakes the buttons that undo it.
  await page.keyboard.press('x');
  await page.waitForTimeout(600);
  const queries = await page.evaluateHandle(() => {
    const made = { count: 0 };
    const { matchMedia } = window;
    window.matchMedia = (query) => {
      made.count += 1;
      return matchMedia(query);
    };
    return made;
  });
  const touched = await touchedBy(page, () => page.keyboard.type('yz'));
  expect(touched).toEqual({ inCopy: 1, onPicture: 0, elsewhere: [] });
  expect(await queries.evaluate(({ count }) => count), 'questions that have the page laid out').toBe(0);
});

test('another view of a long text changes no more on the picture than the word at the caret', async ({
  page,
}) => {
  await readLongText(page);
  const touched = await touchedBy(page, () =>
    page.getByRole('group', { name: 'Text as' }).getByText('Paragraphs').click(),
  );
  expect(touched.inCopy).toBeGreaterThan(0);
  expect(touched.onPicture).toBeLessThanOrEqual(1);
  await expect(page.getByRole('tooltip'), 'whoever presses has looked at it').toHaveCount(0);
});

test('at a word, the view as on the page lights up no other and leaves the picture as it is', async ({
  page,
}) => {
  const tool = await readLongText(page);
  await tool.text.press('Control+End');
  await tool.text.press('ArrowUp');
  const lit = page.locator('.text-editor [data-state="active"]');
  await expect(lit).toHaveCount(1);
  const word = (await lit.textContent()) ?? '';
  const lines = await tool.text.inputValue();
  const touched = await touchedBy(page, () =>
    page.getByRole('group', { name: 'Text as' }).getByText('Layout').click(),
  );
  await expect(tool.text).not.toHaveValue(lines);
  await expect(lit).toHaveText(word);
  expect(touched.onPicture).toBe(0);
});

test('a press on another view is seen before the text is laid out anew', async ({ page }) => {
  const tool = await readLongText(page);
  const lines = await tool.text.inputValue();
  await page.evaluate(() => {
    const radio = document.querySelector<HTMLInputElement>('input[value=paragraphs]')!;
    const area = document.querySelector<HTMLTextAreaElement>('.text-editor textarea')!;
    const before = area.value;
    let frames = 0;
    const count = () => {
      frames += radio.checked && area.value === before ? 1 : 0;
      document.body.dataset.framesBeforeLayout = String(frames);
      if (area.value === before) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await page.getByRole('group', { name: 'Text as' }).getByText('Paragraphs').click();
  await expect(tool.text).not.toHaveValue(lines);
  expect(Number(await page.evaluate(() => document.body.dataset.framesBeforeLayout))).toBeGreaterThan(0);
});

test('what is printed is written when there is to be paper, and not with every letter', async ({ page }) => {
  const tool = await readLongText(page);
  await tool.text.press('Control+Home');
  await page.keyboard.type('Printed ');
  const sheet = page.locator('.print-sheet');
  await expect(sheet).toHaveCount(1);
  expect(await sheet.locator('.print-text').textContent()).toBe('');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await sheet.locator('.print-text').textContent()).toBe(await tool.text.inputValue());
  await page.keyboard.type('again ');
  await page.emulateMedia({ media: 'print' });
  await expect(sheet.locator('.print-text')).toContainText('Printed again ');
});

test('the button answers a press before anything else is drawn anew', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await page.evaluate(() => {
    let frames = 0;
    const count = () => {
      const [busy, progress] = ['form [aria-busy]', 'progress'].map((what) => document.querySelector(what));
      frames += busy && !progress ? 1 : 0;
      document.body.dataset.framesOfTheButton = String(frames);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await tool.read();
  expect(Number(await page.evaluate(() => document.body.dataset.framesOfTheButton))).toBeGreaterThan(0);
});

test('the press is answered on the screen before the picture is sent', async ({ page }) => {
  const tool = await openTool(page);
  await tool.choose(NOTE);
  await page.evaluate(() => {
    const { send } = XMLHttpRequest.prototype;
    let frames = 0;
    const count = () => {
      frames += document.querySelector('progress') ? 1 : 0;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    XMLHttpRequest.prototype.send = function (...sent) {
      document.body.dataset.framesBeforeSending ??= String(frames);
      return send.apply(this, sent);
    };
  });
  await tool.read();
  const frames = await page.evaluate(() => document.body.dataset.framesBeforeSending);
  expect(Number(frames)).toBeGreaterThan(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 667 } });

  test('nearly half of the screen is left to the text, and the message of it covers neither text nor doubts', async ({
    page,
  }) => {
    const tool = await openTool(page);
    await tool.choose(NOTE);
    await tool.read();
    const boxes = () => boxesOf(page.locator('.text-scroller'), tool.toast);
    // The page glides there.
    await expect.poll(async () => Math.floor((await boxes())[0].y)).toBeLessThan(667 / 2 + 35);
    const [text, message] = await boxes();
    expect(message.y).toBeGreaterThanOrEqual(64);
    expect(message.bottom).toBeLessThan(text.y - 52);
  });
});

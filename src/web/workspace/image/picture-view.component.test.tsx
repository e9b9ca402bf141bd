import { beforeEach, describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { middleOf, openResult, readingOf, waitUntilStill } from '../../../../tests/component/extraction.ts';
import { picture, wordBox } from '../../../../tests/component/workspace.ts';

const zoom = () => page.getByRole('status', { name: 'Zoom' });
const fit = () => page.getByRole('button', { name: 'Fit' });

test('picture view: buttons, keys and the wheel with Ctrl change the zoom', async () => {
  await openResult();
  const fitting = zoom().element().textContent;
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.element(zoom()).not.toHaveTextContent(fitting);
  await page.getByRole('button', { name: '100 %' }).click();
  await expect.element(zoom()).toHaveTextContent(/^100%$/);
  picture().focus();
  await userEvent.keyboard('0');
  await expect.element(zoom()).toHaveTextContent(fitting);
  await userEvent.keyboard('{Control>}');
  await commands.wheel(middleOf(picture()), { x: 0, y: -200 });
  await userEvent.keyboard('{/Control}');
  await expect.element(zoom()).not.toHaveTextContent(fitting);
});

describe('picture view on a touch screen', () => {
  beforeEach(() => commands.emulateTouch(true));

  /** The center and the width of a word in the middle of the picture, in CSS pixels. */
  const middleWord = () => ({
    ...middleOf(wordBox(10)),
    width: wordBox(10).getBoundingClientRect().width,
  });

  /** Two fingers, left and right of a point, change their distance while the point moves to the right. */
  async function pinch(at: { x: number; y: number }, [from, to]: [number, number], along = 0) {
    const fingers = (share: number) => {
      const half = (from + (to - from) * share) / 2;
      const x = at.x + along * share;
      return [
        { x: x - half, y: at.y, id: 0 },
        { x: x + half, y: at.y, id: 1 },
      ];
    };
    await commands.touchEvent('touchStart', fingers(0));
    for (let step = 1; step <= 8; step++) await commands.touchEvent('touchMove', fingers(step / 8));
    await commands.touchEvent('touchEnd', []);
  }

  test('two fingers zoom around their center and move the picture, and the page keeps its scale', async () => {
    await openResult();
    picture().focus();
    await userEvent.keyboard('1');
    await userEvent.keyboard('+++++');
    await expect.element(zoom()).toHaveTextContent(/^305%$/);
    wordBox(10).scrollIntoView({ block: 'center', inline: 'center' });
    await waitUntilStill(() => wordBox(10));

    const before = middleWord();
    await pinch(before, [60, 120]);
    await expect.element(zoom()).toHaveTextContent(/^610%$/);
    await waitUntilStill(() => wordBox(10));
    const closer = middleWord();
    expect(closer.width / before.width).toBeCloseTo(2, 1);
    expect(Math.abs(closer.x - before.x)).toBeLessThan(3);
    expect(Math.abs(closer.y - before.y)).toBeLessThan(3);

    await pinch(closer, [100, 100], 80);
    await expect.poll(() => Math.abs(middleWord().x - closer.x - 80)).toBeLessThan(3);
    expect(middleWord().width).toBeCloseTo(closer.width, 0);

    await pinch(middleWord(), [200, 10]);
    await expect.element(fit()).toHaveAttribute('aria-pressed', 'true');
    expect(visualViewport?.scale).toBe(1);
  });

  test('a double tap zooms in at its place, and another one shows the whole picture', async () => {
    await openResult();
    await expect.element(fit()).toHaveAttribute('aria-pressed', 'true');
    const far = middleWord();
    const tapTwice = () => commands.doubleTap(middleWord());
    await tapTwice();
    await expect.element(fit()).toHaveAttribute('aria-pressed', 'false');
    expect(middleWord().width).toBeGreaterThan(far.width * 1.3);
    await tapTwice();
    await expect.element(fit()).toHaveAttribute('aria-pressed', 'true');
  });
});

test('picture: lines below doubtful words have the words’ tilt', async () => {
  const reading = readingOf('note-slanted');
  for (const { words } of reading.lines) for (const word of words) word.confidence = 41;
  await openResult('note-slanted', { state: { extraction: reading } });
  const angles = [...document.querySelectorAll('.word-boxes rect.doubt')].map((mark) =>
    Number(/rotate\((-?[\d.]+)/.exec(mark.getAttribute('transform') ?? '')?.[1] ?? 0),
  );
  const words = reading.lines.flatMap((line) => line.words);
  expect(angles).toHaveLength(words.length);
  const [first, last] = [reading.lines[0]!.words[0]!.box, reading.lines[0]!.words.at(-1)!.box];
  const rise = last.y + last.height / 2 - first.y - first.height / 2;
  const run = last.x + last.width / 2 - first.x - first.width / 2;
  const tilt = (Math.atan(rise / run) * 180) / Math.PI;
  expect(Math.abs(tilt)).toBeGreaterThan(0.5);
  const usual = angles.toSorted((one, other) => one - other)[Math.floor(angles.length / 2)]!;
  expect(Math.abs(usual - tilt)).toBeLessThan(1);
});

test('picture: a tilted page is shown deskewed, and "Original" shows it unchanged', async () => {
  await openResult('note-slanted');
  const slope = () => {
    const [first, last] = [wordBox(0), wordBox(2)].map(middleOf);
    return Math.abs(last!.y - first!.y) / (last!.x - first!.x);
  };
  expect(slope()).toBeLessThan(0.02);
  const original = page.getByRole('button', { name: 'Original' });
  await original.click();
  await expect.element(original).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(slope).toBeGreaterThan(0.05);
  await expectAccessible();
});

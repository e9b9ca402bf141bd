import { expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { clipboard, downloadBy, openResult, readingOf } from '../../../../tests/component/extraction.ts';
import { countOnPicture } from '../../../../tests/component/workspace.ts';

const found = () => page.getByRole('region', { name: 'Found on the picture' });
const chip = (name: RegExp) => found().getByRole('button', { name });

test('found on the picture: links, addresses, numbers, dates and codes are shown in full before they can be opened', async () => {
  await commands.holdClipboard();
  performance.clearResourceTimings();
  const opened = vi.spyOn(window, 'open');
  await openResult('poster');
  await expect.element(chip(/^QR code: harbour-lane\.example\/table\/4/)).toBeVisible();
  await expect.poll(() => countOnPicture('.found')).toBe(5);
  expect(found().getByRole('link').query()).toBeNull();

  await chip(/^QR code/).click();
  await expect.element(found()).toHaveTextContent('https://harbour-lane.example/table/4');
  const open = found().getByRole('link', { name: /Open (www\.)?harbour-lane\.example/ });
  await expect.element(open).toHaveAttribute('href', 'https://harbour-lane.example/table/4');
  await expect.element(open).toHaveAttribute('rel', 'noopener noreferrer');
  await expect.element(open).toHaveAttribute('target', '_blank');
  await expectAccessible();

  await chip(/^Link: harbour-lane\.example/).click();
  await expect
    .element(open)
    .toHaveAttribute('href', expect.stringMatching(/^https:\/\/www\.harbour-lane\.example/));
  await chip(/^Mail address/).click();
  await expect
    .element(found().getByRole('link'))
    .toHaveAttribute('href', 'mailto:bread@harbour-lane.example');
  await chip(/^Telephone number/).click();
  await expect.element(found().getByRole('link')).toHaveAttribute('href', 'tel:+442079460958');
  await found().getByRole('button', { name: 'Copy' }).click();
  await expect.poll(clipboard).toBe('+44 20 7946 0958');

  await chip(/^Date/).click();
  const { text } = await downloadBy(() =>
    found()
      .getByRole('button', { name: /calendar/ })
      .click(),
  );
  expect(text).toContain('DTSTART;VALUE=DATE:20261122');
  expect(text).toContain('SUMMARY:Open day on 22 November 2026');

  await userEvent.click(document.querySelector('.word-boxes rect[data-found]')!);
  await expect.element(chip(/^QR code/)).toHaveAttribute('aria-expanded', 'true');
  const elsewhere = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => !/^(http:\/\/localhost|blob:|data:)/.test(name));
  expect(elsewhere, 'requests to other hosts').toEqual([]);
  expect(opened).not.toHaveBeenCalled();
});

test('found on the picture: a doubtful link says how sure its reading is', async () => {
  const extraction = readingOf('poster');
  for (const word of extraction.lines.flatMap(({ words }) => words))
    if (word.text.startsWith('www.')) word.confidence = 41;
  await openResult('poster', { state: { extraction } });
  await found()
    .getByRole('button', { name: /^Link: .*in doubt/ })
    .click();
  await expect.element(found()).toHaveTextContent('Only 41% sure. Compare it with the picture first.');
});

import { describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { toast } from '../../../../tests/component/application.tsx';
import {
  gate,
  openResult,
  openTool,
  pictureFile,
  readingOf,
} from '../../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  button,
  dialog,
  message,
  openAs,
  pressKey,
  signInButton,
} from '../../../../tests/component/people.ts';
import { answers, errorResponse, worker } from '../../../../tests/component/server.ts';

/* A message is announced once, and disappears as soon as it is no longer true. */

const textFile = () => new File(['no picture'], 'notes.txt', { type: 'text/plain' });

/** Toasts are not dismissed automatically while the window has no focus. */
const holdMessage = () => window.dispatchEvent(new Event('blur'));

/** Starts to count the live regions that announce this text. Returns a function that returns the count. */
function countAnnouncements(words: string): () => number {
  const announcing = new Set<Element>();
  const includesText = (element: Element | null) => element?.textContent?.includes(words) ?? false;
  const listen = () => {
    for (const region of document.querySelectorAll('[role=alert], [role=status], [role=log], [aria-live]')) {
      if (region.getAttribute('aria-live') === 'off' || !includesText(region)) continue;
      if (!includesText(region.querySelector('[role=alert], [role=status], [aria-live]')))
        announcing.add(region);
    }
  };
  new MutationObserver(listen).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
  });
  return () => announcing.size;
}

describe('announcement', () => {
  test('announcement: a wrong file is announced once, although a toast and an alert say it', async () => {
    const tool = await openTool();
    const times = countAnnouncements('Please select an image file (PNG, JPG, WebP)');
    await tool.choose(textFile());
    await expect.element(toast()).toHaveTextContent('Invalid file type');
    await expect.poll(times).toBe(1);
    await expect.poll(message).toBe('');
    expect(times()).toBe(1);
  });

  test('announcement: a failed sign-in is announced once', async () => {
    await openAs(null, '/', { site: AVAILABLE });
    const times = countAnnouncements('Wrong username or password.');
    await signInButton().click();
    await dialog().getByLabelText('Username').fill('ada');
    await dialog().getByLabelText('Password').fill('not the password');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('Wrong username or password.');
    await expect.poll(times).toBe(1);
  });

  test('announcement: a success is announced once', async () => {
    await commands.holdClipboard();
    await openResult();
    const times = countAnnouncements('Text copied to clipboard');
    await pressKey(() => button('Copy').first().element());
    await expect.element(toast()).toHaveTextContent('Text copied to clipboard');
    await expect.poll(times).toBe(1);
  });
});

test('message: disappears when another file is chosen, a dialog opens or the picture is sent again', async () => {
  const tool = await openTool({ site: AVAILABLE });
  await tool.choose(textFile());
  await expect.poll(message).toContain('Invalid file type');
  holdMessage();
  await tool.choose(await pictureFile('note'));
  await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
  await expect.poll(message).toBe('');

  let broken = true;
  const response = gate();
  worker.use(
    answers(extractText, async () => {
      if (broken) return errorResponse(500, { error: 'Broken' });
      await response.opened;
      return readingOf('note');
    }),
  );
  await tool.extract.click();
  await expect.poll(message).toContain('Broken');
  holdMessage();
  await signInButton().click();
  await expect.element(dialog()).toBeVisible();
  await expect.poll(message).toBe('');
  await userEvent.keyboard('{Escape}');

  await tool.extract.click();
  await expect.poll(message).toContain('Broken');
  holdMessage();
  broken = false;
  await tool.extract.click();
  await expect.element(page.getByText('Processing your image...').first()).toBeVisible();
  await expect.poll(message).toBe('');
  response.open();
  await expect.poll(message).toContain('Success!');
});

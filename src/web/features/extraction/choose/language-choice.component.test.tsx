import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { openResult, openTool, pictureFile, readingOf } from '../../../../../tests/component/extraction.ts';
import { type ServerState, visitorState } from '../../../../../tests/component/server.ts';
import { lastUpload, overflow } from '../../../../../tests/component/workspace.ts';

const readsFrench = (allowed: boolean): ServerState['languages'] => [
  { code: 'eng', name: 'English', allowed: true, installed: true },
  { code: 'fra', name: 'French', allowed, installed: true },
];

const member = (): Partial<ServerState> => ({
  user: { username: 'polyglot', email: 'polyglot@example.org', isPremium: true },
  usage: { ...visitorState().usage, dailyLimit: 1500, period: 'month' },
  languages: readsFrench(true),
});

const languages = () => page.getByRole('button', { name: /^Languages?:/ });

/** A reading that took a French text for English. */
function misreadFrench() {
  const reading = readingOf('note');
  reading.likelyLanguage = { code: 'fra', name: 'French' };
  reading.notices.push({ code: 'other_language', message: 'This looks French. It was read as English' });
  return reading;
}

test('languages: a member chooses several, and they are sent with the picture', async () => {
  const tool = await openTool({ state: member() });
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('checkbox', { name: 'French' }).click();
  await expect.element(page.getByRole('button', { name: 'Languages: English, French' })).toBeVisible();
  await expectAccessible();
  await tool.choose(await pictureFile('note'));
  await tool.read();
  expect((await lastUpload()).fields).toMatchObject({ languages: 'eng+fra' });
});

test('languages: a visitor is offered no choice and cannot save the text', async () => {
  await openResult('note', { state: { languages: readsFrench(false) } });
  expect((await lastUpload()).fields, 'the server reads English then').not.toHaveProperty('languages');
  expect(languages().query()).toBeNull();
  expect(page.getByRole('button', { name: 'Save text' }).query()).toBeNull();
});

describe('a text in another language than it was read in', () => {
  test('other language: a member reads the picture again in that language', async () => {
    const tool = await openResult('note', { state: { ...member(), extraction: misreadFrench() } });
    await expect.element(page.getByText('This looks French. It was read as English')).toBeVisible();
    await expect.element(page.getByText('Reading the same picture again costs nothing.')).toBeVisible();
    await expectAccessible();
    tool.state.extraction = { ...readingOf('note'), language: 'fra+eng' };
    (page.getByRole('button', { name: 'Read it in French' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('This looks French.')).not.toBeInTheDocument();
    expect((await lastUpload()).fields).toMatchObject({ languages: 'fra+eng' });
    await expect.element(page.getByRole('button', { name: 'Languages: French, English' })).toBeVisible();
  });

  test('other language: a visitor learns that premium reads it and may join the waitlist', async () => {
    await openResult('note', { state: { extraction: misreadFrench(), languages: readsFrench(false) } });
    const alert = page.getByRole('status').filter({ hasText: 'This looks French.' });
    await expect.element(alert).toHaveTextContent(/Premium reads French/);
    await alert.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect.element(page.getByRole('dialog')).toHaveTextContent(/Coming Soon - Premium Features/);
  });
});

test.each([1440, 768, 375])(
  'languages: above a result at %i px they stand in a row below the button, closed and open',
  async (width) => {
    await page.viewport(width, 900);
    const tool = await openResult('note', { state: member() });
    for (const opens of [false, true]) {
      if (opens) {
        await languages().click();
        await expect.element(page.getByRole('checkbox', { name: 'French' })).toBeVisible();
      }
      const [row, extract, filter] = [
        languages(),
        tool.extract,
        page.getByLabelText('Smart Text Filtering'),
      ].map((locator) => locator.element().getBoundingClientRect());
      expect(
        Math.abs(extract!.y + extract!.height / 2 - filter!.y - filter!.height / 2),
        'button and switch share a row',
      ).toBeLessThan(12);
      expect(row!.y).toBeGreaterThanOrEqual(extract!.bottom);
      expect(overflow()).toBeLessThanOrEqual(0);
    }
  },
);

import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import type { Extraction } from '#contract/extraction';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { tabTo } from '../../../../../tests/component/application.tsx';
import { expectConsole } from '../../../../../tests/component/console.ts';
import { openResult, openTool, pictureFile, readingOf } from '../../../../../tests/component/extraction.ts';
import {
  answers,
  errorResponse,
  requestCount,
  requests,
  type ServerState,
  visitorState,
  worker,
} from '../../../../../tests/component/server.ts';
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

/** A French text that was read as English. */
function misreadFrench() {
  const reading = readingOf('note');
  reading.confidence = 85;
  reading.likelyLanguage = { code: 'fra', name: 'French' };
  reading.notices.push({ code: 'other_language', message: 'This looks French. It was read as English' });
  return reading;
}

/** Answers the first extraction with `first` and the following ones with `then`. Returns the number of extractions. */
function readsFirst(first: Extraction, then: Extraction | (() => Response)) {
  let times = 0;
  worker.use(
    answers(extractText, () => {
      times += 1;
      if (times === 1) return first;
      return typeof then === 'function' ? then() : then;
    }),
  );
  return () => times;
}

const sentLanguages = () =>
  Promise.all(
    requests
      .filter(({ call }) => call === 'POST /api/extract-text')
      .map(async ({ request }) => (await request.clone().formData()).get('languages')),
  );

describe('language that is found automatically', () => {
  test('found language: a French picture is automatically read again in French, and the result says so', async () => {
    const french = { ...readingOf('note'), language: 'fra+eng', confidence: 98 };
    const times = readsFirst(misreadFrench(), french);
    const tool = await openTool({ state: member() });
    await expect.element(page.getByRole('button', { name: 'Language: Found automatically' })).toBeVisible();
    await tool.choose(await pictureFile('note'));
    await tool.read();
    expect(await sentLanguages()).toEqual([null, 'fra+eng']);
    await expect.element(page.getByText('French, found', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Language: French, found' })).toBeVisible();
    await expect.element(page.getByText('This looks French.')).not.toBeInTheDocument();
    await expectAccessible();
    // The language of this picture is known now.
    await tool.extract.click();
    await expect.poll(times).toBe(3);
    expect((await sentLanguages()).at(-1)).toBe('fra+eng');
  });

  test.each([
    ['fails', () => errorResponse(503, { error: 'Too busy', code: 'recognition.queue_full' })],
    ['has less confidence', { ...readingOf('note'), language: 'fra+eng', confidence: 20 }],
  ])('found language: if the second reading %s, the first result stays with its notice', async (_, then) => {
    if (typeof then === 'function') expectConsole(/503/);
    readsFirst(misreadFrench(), then);
    const tool = await openTool({ state: member() });
    await tool.choose(await pictureFile('note'));
    await tool.read();
    await expect.element(page.getByText('This looks French. It was read as English')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Read it in French' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Language: Found automatically' })).toBeVisible();
  });
});

test('languages: a premium user chooses several, and they are sent with the picture', async () => {
  const tool = await openTool({ state: member() });
  await page.getByRole('button', { name: 'Language: Found automatically' }).click();
  await page.getByRole('checkbox', { name: 'English' }).click();
  await page.getByRole('checkbox', { name: 'French' }).click();
  await expect.element(page.getByRole('button', { name: 'Languages: English, French' })).toBeVisible();
  await expectAccessible();
  await tool.choose(await pictureFile('note'));
  await tool.read();
  expect((await lastUpload()).fields).toMatchObject({ languages: 'eng+fra' });
});

test('languages: with the keyboard, clearing the last checkbox selects "Found automatically" again', async () => {
  await openTool({ state: member() });
  await tabTo(() => languages().query());
  await userEvent.keyboard('{Enter}');
  await tabTo(() => page.getByRole('radio', { name: 'Found automatically' }).query());
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('button', { name: 'Language: English' })).toBeVisible();
  await tabTo(() => page.getByRole('checkbox', { name: 'English' }).query());
  await userEvent.keyboard(' ');
  await expect.element(page.getByRole('radio', { name: 'Found automatically' })).toBeChecked();
});

test('languages: many languages are grouped, can be searched by their native name, and announce a download once', async () => {
  const codes = 'eng fra deu rus jpn ara hin vie swa chi_sim tha kor amh'.split(' ');
  const offered = codes.map((code) => ({
    code,
    name: `Name of ${code}`,
    allowed: true,
    installed: code === 'eng',
  }));
  await openTool({ state: { ...member(), languages: offered } });
  await languages().click();
  const group = (name: string) => page.getByRole('region', { name, exact: true });
  await expect.element(group('European languages').getByRole('checkbox', { name: 'rus' })).toBeVisible();
  await expect
    .element(group('Chinese, Japanese, Korean').getByRole('checkbox', { name: 'jpn' }))
    .toBeInTheDocument();
  await page.getByRole('searchbox', { name: 'Find a language' }).fill('Русский');
  await expect.poll(() => page.getByRole('checkbox').elements().length).toBe(1);
  expect(document.body.textContent).not.toContain('fetched');
  await page.getByRole('checkbox', { name: 'rus' }).click();
  await expect.element(page.getByText(/Name of rus: fetched once/)).toBeVisible();
  await expectAccessible();
});

test('languages: a visitor has no language choice and cannot save the text', async () => {
  await openResult('note', { state: { languages: readsFrench(false) } });
  expect((await lastUpload()).fields, 'the server reads English then').not.toHaveProperty('languages');
  expect(languages().query()).toBeNull();
  expect(page.getByRole('button', { name: 'Save text' }).query()).toBeNull();
});

describe('text in another language than the chosen one', () => {
  test('other language: a premium user can read the picture again in that language', async () => {
    localStorage.setItem('languages', 'eng');
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

  test('other language: one notice says that premium reads it, without a button', async () => {
    const state = { extraction: misreadFrench(), languages: readsFrench(false) };
    const tool = await openResult('note', { state });
    const alert = page.getByRole('status').filter({ hasText: 'This looks French.' });
    await expect.element(alert).toHaveTextContent(/Premium reads French/);
    expect(alert.getByRole('button').query()).toBeNull();
    await tool.extract.click();
    await expect.poll(() => requestCount('POST /api/extract-text')).toBe(2);
    await expect.element(tool.extract).toBeEnabled();
    await expect.element(alert).toBeVisible();
    await expect.element(alert).not.toHaveTextContent(/Premium/);
  });

  test('other language: while premium is available, the notice has a button for it', async () => {
    await openResult('note', {
      state: { extraction: misreadFrench(), languages: readsFrench(false) },
      site: { premiumAvailability: 'available' },
    });
    const alert = page.getByRole('status').filter({ hasText: 'This looks French.' });
    await alert.getByRole('button', { name: 'Get Premium' }).click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
  });
});

test.each([1440, 768, 375])(
  'languages: above a result at %i px they are in a row below the button, closed and open',
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

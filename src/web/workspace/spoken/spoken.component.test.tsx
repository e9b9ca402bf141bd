import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { tabTo, toast } from '../../../../tests/component/application.tsx';
import { clipboard, gate, openResult } from '../../../../tests/component/extraction.ts';
import { overflow } from '../../../../tests/component/workspace.ts';

/* The test browser has neither voices nor a translator, so both are replaced. */

afterEach(() => vi.unstubAllGlobals());

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** The highlighted sentence; null without one. */
const markedPart = () => {
  const [range] = CSS.highlights.get('found-now') ?? [];
  return range ? String(range) : null;
};

async function showText() {
  const tab = page.getByRole('tab', { name: 'Text' });
  if (tab.query()) await tab.click();
}

describe('a device with voices', () => {
  let spoken: SpeechSynthesisUtterance[] = [];
  const voice = (name: string, lang: string, localService = true) =>
    ({ name, lang, localService, voiceURI: name, default: false }) as SpeechSynthesisVoice;

  /** Replaces the speech synthesis. A test ends a sentence with `end`. */
  function device(voices: SpeechSynthesisVoice[]) {
    spoken = [];
    const listeners = new EventTarget();
    vi.stubGlobal('speechSynthesis', {
      getVoices: () => voices,
      addEventListener: listeners.addEventListener.bind(listeners),
      removeEventListener: listeners.removeEventListener.bind(listeners),
      speak: (utterance: SpeechSynthesisUtterance) => spoken.push(utterance),
      cancel: vi.fn(),
    });
    // The real class accepts only voices of the browser.
    vi.stubGlobal(
      'SpeechSynthesisUtterance',
      class {
        constructor(readonly text: string) {}
      },
    );
  }
  const end = () => spoken.at(-1)?.onend?.(new Event('end') as SpeechSynthesisEvent);
  const words = () => spoken.map(({ text }) => text);

  test.each([
    [1440, 'light'],
    [375, 'dark'],
  ] as const)(
    'read aloud at %i px, %s: each sentence is highlighted, and keys pause and stop',
    async (width, scheme) => {
      await page.viewport(width, 900);
      await commands.emulateMedia({ colorScheme: scheme });
      device([voice('Anna', 'de-DE'), voice('Cloud', 'en-US', false), voice('Daniel', 'en-GB')]);
      await openResult('note');
      await showText();
      await tabTo(() => button('Read aloud').query(), 80);
      await userEvent.keyboard('{Enter}');
      const read = button('Read');
      await expect.element(read).toHaveFocus();
      await expect.element(page.getByRole('combobox', { name: 'Voice' })).toHaveValue('Daniel');
      await expectAccessible();
      expect(overflow()).toBeLessThanOrEqual(0);
      await userEvent.keyboard('{Enter}');
      await expect.poll(markedPart).toBe('Harbour Lane Bakery');
      expect(spoken.at(-1)).toMatchObject({ lang: 'en-GB', rate: 1 });
      end();
      await expect.poll(markedPart).toBe('Two loaves of rye bread');
      await expect.element(button('Pause')).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await button('Continue').click();
      expect(words()).toEqual(['Harbour Lane Bakery', 'Two loaves of rye bread', 'Two loaves of rye bread']);
      await button('Next sentence').click();
      await expect.poll(markedPart).toBe('One jar of plum jam');
      await button('Stop').click();
      await expect.poll(markedPart).toBeNull();
      await read.click();
      await expect.poll(() => words().at(-1)).toBe('Harbour Lane Bakery');
      await userEvent.keyboard('{Escape}');
      await expect.element(page.getByRole('region', { name: 'Read aloud' })).not.toBeInTheDocument();
      expect(speechSynthesis.cancel).toHaveBeenCalled();
    },
  );

  test('read aloud: starts at the caret, stops after the last sentence and continues with a changed text', async () => {
    device([voice('Daniel', 'en-GB')]);
    const tool = await openResult('note');
    const area = tool.area();
    area.focus();
    area.setSelectionRange(area.value.indexOf('Open daily'), area.value.indexOf('Open daily'));
    await button('Read aloud').click();
    await button('Read').click();
    expect(words()).toEqual(['Open daily until seven']);
    await tool.text.fill(`${area.value}\nClosed on Monday`);
    end();
    await expect.poll(words).toEqual(['Open daily until seven', 'Closed on Monday']);
    end();
    await expect.element(button('Continue')).toBeVisible();
    expect(words()).toHaveLength(2);
  });

  test.each([
    ['no voice at all', [], 'This device has no voice.'],
    ['none for the language', [voice('Anna', 'de-DE')], 'This device has no voice for English'],
    [
      'one that is not on the device',
      [voice('Cloud', 'en-US', false)],
      'your browser sends the text to its provider',
    ],
  ])('read aloud: a device with %s shows a hint', async (_, voices, note) => {
    device(voices);
    await openResult('note');
    await button('Read aloud').click();
    const panel = page.getByRole('region', { name: 'Read aloud' });
    await expect.element(panel).toHaveTextContent(note);
    if (voices.length === 0) await expect.element(button('Read')).toBeDisabled();
  });
});

describe('translation', () => {
  const created: object[] = [];
  beforeEach(() => {
    created.length = 0;
    localStorage.removeItem('translation-target');
  });

  /** Replaces the translator by one with two target languages, which reverses the text. */
  function translates({ fails = false } = {}) {
    const downloaded = gate();
    vi.stubGlobal('Translator', {
      availability: async ({ targetLanguage }: { targetLanguage: string }) =>
        ['de', 'ar'].includes(targetLanguage) ? 'downloadable' : 'unavailable',
      create: async ({ monitor, ...languages }: { monitor: (target: EventTarget) => void }) => {
        created.push(languages);
        const progress = new EventTarget();
        monitor(progress);
        progress.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: 0.5 }));
        await downloaded.opened;
        return {
          translate: async (text: string) => {
            if (fails) throw new Error('no');
            return [...text].toReversed().join('');
          },
          destroy() {},
        };
      },
    });
    return downloaded;
  }

  test('translation: a browser without a translator offers none', async () => {
    vi.stubGlobal('Translator', undefined);
    await openResult('note');
    await expect.element(button('Find and replace')).toBeVisible();
    expect(button('Translate').query()).toBeNull();
  });

  test.each([
    [1440, 'light'],
    [375, 'dark'],
  ] as const)(
    'translation at %i px, %s: shows the download and the text, can be copied, and stores its language',
    async (width, scheme) => {
      await page.viewport(width, 900);
      await commands.emulateMedia({ colorScheme: scheme });
      await commands.holdClipboard();
      const downloaded = translates();
      const tool = await openResult('note');
      await showText();
      await button('Translate').click();
      const panel = page.getByRole('region', { name: 'Translation' });
      const into = panel.getByRole('combobox', { name: 'Into' });
      await expect.element(into).toHaveFocus();
      await expect.element(panel).toHaveTextContent('the text is not sent');
      await into.selectOptions('Arabic');
      await panel.getByRole('button', { name: 'Translate' }).click();
      await expect.element(panel).toHaveTextContent('downloads the language, once: 50%');
      downloaded.open();
      const translated = panel.getByRole('region', { name: 'Translated text' });
      await expect.element(translated).toHaveTextContent('yrekaB enaL ruobraH');
      expect(created).toMatchObject([{ sourceLanguage: 'en', targetLanguage: 'ar' }]);
      await expect.element(translated).toHaveAttribute('lang', 'ar');
      await expectAccessible();
      expect(overflow()).toBeLessThanOrEqual(0);
      await panel.getByRole('button', { name: 'Copy translation' }).click();
      await expect.element(toast()).toBeVisible();
      expect((await clipboard()).split('\n')).toHaveLength(tool.area().value.split('\n').length);
      await tool.text.fill('Another text');
      await expect.element(panel).toHaveTextContent('This translation is outdated');
      await button('Close translation').click();
      await button('Translate').click();
      await expect.element(into).toHaveValue('ar');
    },
  );

  test('translation: shows a failure and can be tried again', async () => {
    translates({ fails: true }).open();
    await openResult('note');
    await button('Translate').click();
    const panel = page.getByRole('region', { name: 'Translation' });
    await panel.getByRole('button', { name: 'Translate' }).click();
    await expect.element(panel).toHaveTextContent('Your browser could not translate this.');
    await expect.element(panel.getByRole('button', { name: 'Translate' })).toBeEnabled();
  });
});

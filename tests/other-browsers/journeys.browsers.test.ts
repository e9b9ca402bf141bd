import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAGES } from '#contract/paths';
import { type RunningServer, startServer, stopServer } from '../support/built-server.ts';
import { scanPage } from '../support/documents.ts';
import { pdfOf } from '../support/pdf.ts';
import type { Browser } from './driver.ts';
import { launchFirefox } from './firefox.ts';
import { Page, type Target } from './page.ts';
import { launchWebkit } from './webkit.ts';

const NOTE = join(import.meta.dirname, '../e2e/fixtures/note.png');
const PASSWORD = 'harbour lights 7';

const EXTRACT: Target = { role: 'button', name: 'Extract Text' };
const TEXT: Target = { role: 'textbox', name: 'Extracted text' };
const TOAST: Target = { css: '.toast-viewport > li' };
const DIALOG: Target = { role: 'dialog' };
/** The box around a doubtful word on the picture. */
const DOUBTFUL_BOX: Target = { css: '.word-boxes rect.doubt' };
const RECENT: Target = { role: 'region', name: 'Recent results' };

const button = (name: string | RegExp, within?: Target): Target => ({
  role: 'button',
  name,
  ...(within && { within }),
});
const field = (name: string, within?: Target): Target => ({
  role: 'textbox',
  name,
  ...(within && { within }),
});
const menuItem = (name: string | RegExp): Target => ({ role: 'menuitem', name });
const heading = (name: string | RegExp): Target => ({ role: 'heading', name });

/** Poll options for automatic effects of an action. */
const POLL_OPTIONS = { timeout: 20_000 };

let server: RunningServer;
let files: string;
let people = 0;

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'glyphlift-files-'));
  server = await startServer({
    ADDRESS_LIMIT_FACTOR: '100',
    RATE_LIMIT_PER_MINUTE: '1000',
    PREMIUM_AVAILABILITY: 'available',
  });
});

afterAll(async () => {
  await stopServer(server);
  rmSync(files, { recursive: true, force: true });
});

/** Writes a file for a file input. */
function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(files, name);
  writeFileSync(path, bytes);
  return path;
}

/** A picture like the note with other bytes: decoders ignore data after the end of a PNG. */
const copyOfNote = (name: string): string =>
  fileOf(name, Buffer.concat([readFileSync(NOTE), Buffer.from(name)]));

/** Opens the start page, chooses the note and reads it. */
async function readNote(page: Page): Promise<string> {
  await page.open(PAGES.home);
  await page.upload(NOTE);
  await page.click(EXTRACT);
  await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^Harbour Lane Bakery/);
  return page.value(TEXT);
}

const selectedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const area = document.querySelector<HTMLTextAreaElement>('.text-editor textarea');
    return area ? area.value.slice(area.selectionStart, area.selectionEnd) : '';
  });

/**
 * Lowers the confidence of these words in the next response of the server, because the engine's own doubtful words change
 * with the engine. Runs in the page.
 */
function doubtWords(doubtful: readonly string[]): void {
  const { get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText') ?? {};
  Object.defineProperty(XMLHttpRequest.prototype, 'responseText', {
    get(this: XMLHttpRequest) {
      const text: string = get?.call(this);
      if (this.status !== 200 || !this.responseURL.endsWith('/api/extract-text')) return text;
      const extraction: { lines: { words: { text: string; confidence: number }[] }[] } = JSON.parse(text);
      for (const word of extraction.lines.flatMap(({ words }) => words))
        if (doubtful.includes(word.text)) word.confidence = 41;
      return JSON.stringify(extraction);
    },
  });
}

/** Registers, pays and signs in through the API. */
async function becomeMember(page: Page): Promise<string> {
  people += 1;
  const username = `member-${people}`;
  await page.open(PAGES.home);
  const statuses = await page.evaluate(
    async (username: string, password: string) => {
      const email = `${username}@example.org`;
      const post = async (path: string, body: object) =>
        (
          await fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).status;
      return [
        await post('/api/register', { username, email, password }),
        await post('/api/payment/paypal', { email, amount: '4.99', currency: 'USD' }),
        await post('/api/login', { username, password }),
      ];
    },
    username,
    PASSWORD,
  );
  expect(statuses, 'registration asks for payment, which and the sign-in succeed').toEqual([402, 200, 200]);
  return username;
}

describe.each([
  ['Firefox', launchFirefox, { storesFiles: true }],
  // WebKitWebDriver opens only private windows, which store no files, and so no pictures.
  ['WebKitGTK', launchWebkit, { storesFiles: false }],
] as const)('%s', (_browser, launch, { storesFiles }) => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser.close());

  beforeEach(async () => {
    page = await Page.create(browser, server.url);
  });

  afterEach(async () => {
    const errors = await page.consoleErrors();
    await page.close();
    expect(errors, 'errors and warnings in the console').toEqual([]);
  });

  test('a chosen picture shows its preview, then its text, confidence and word count', async () => {
    await page.open(PAGES.home);
    await page.upload(NOTE);
    await page.waitFor({ role: 'img', name: 'Preview of note.png' });
    await page.click(EXTRACT);
    await expect
      .poll(() => page.text(TOAST), POLL_OPTIONS)
      .toMatch(/Extracted \d+ words with \d+% confidence/);
    expect(await page.value(TEXT)).toMatch(/^Harbour Lane Bakery\n[\s\S]*plum jam/);
    await page.waitFor({ text: /^\d+% confidence$/ });
    await page.waitFor({ text: /^\d+ words$/ });
    await page.waitFor({ role: 'img', name: 'The original: note.png' });
  });

  test('an edited text is copied, can be pasted, and is downloaded as a text file', async () => {
    await readNote(page);
    const edited = 'Grüße from the harbour';
    await page.fill(TEXT, edited);
    await page.click(button('Copy'));
    await expect.poll(() => page.text(TOAST), POLL_OPTIONS).toContain('Text copied to clipboard');
    await page.fill(TEXT, '');
    expect(await page.value(TEXT)).toBe('');
    await page.press('Control+v');
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toBe(edited);

    const download = await page.download(() => page.click(button('Download')));
    expect(download.name).toMatch(/^extracted-text-\d{4}-\d{2}-\d{2}-\d{6}\.txt$/);
    expect(download.text).toBe(edited);
  });

  test('an edited text is downloaded as Markdown and as hOCR', async () => {
    await readNote(page);
    await page.click(TEXT);
    await page.press('Control+Home');
    await page.type('Old ');
    const downloadAs = (format: RegExp) =>
      page.download(async () => {
        await page.click(button('More formats'));
        await page.click(menuItem(format));
      });

    const markdown = await downloadAs(/^Markdown/);
    expect(markdown.name).toMatch(/^extracted-text-[\d-]+\.md$/);
    expect(markdown.text).toContain('Old Harbour Lane Bakery');
    const hocr = await downloadAs(/^hOCR/);
    expect(hocr.name).toMatch(/^extracted-text-[\d-]+\.hocr$/);
    expect(hocr.text).toMatch(/class=["']ocrx_word["'][^>]*>Bakery</);
  });

  test('doubtful words are stepped through, confirmed and corrected, and undo takes each step back', async () => {
    await page.open(PAGES.home);
    await page.evaluate(doubtWords, ['Lane', 'rye']);
    await page.upload(NOTE);
    await page.click(EXTRACT);
    await page.waitFor({ text: '2 doubtful words' });
    await expect.poll(() => page.count(DOUBTFUL_BOX), POLL_OPTIONS).toBe(2);
    const before = await page.value(TEXT);

    await page.click(button('Next doubtful word'));
    await expect.poll(() => page.isFocused(button(/^Looks right/)), POLL_OPTIONS).toBe(true);
    expect(await selectedText(page)).toBe('Lane');
    await page.press('Enter');
    await expect.poll(() => selectedText(page), POLL_OPTIONS).toBe('rye');
    await page.type('spelt');
    await page.press('Enter');
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toBe(before.replace('rye', 'spelt'));
    await page.waitFor({ text: 'No doubtful words left' });

    await page.press('Control+z');
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toBe(before);
    await page.click(button('Undo'));
    await expect.poll(() => selectedText(page), POLL_OPTIONS).toBe('Lane');
    await expect.poll(() => page.count(DOUBTFUL_BOX), POLL_OPTIONS).toBe(2);
  });

  if (storesFiles) {
    test('after a reload the last result is shown again with its edits and its picture', async () => {
      await readNote(page);
      await page.click(TEXT);
      await page.press('Control+Home');
      await page.type('At the ');
      await page.waitFor({ text: 'The text above is kept.', within: RECENT });

      await page.reload();
      await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^At the Harbour Lane Bakery/);
      await page.waitFor({ role: 'img', name: 'The original: note.png' });
    });
  } else {
    test('without file storage, no recent results are offered, and reading works again after a reload', async () => {
      await readNote(page);
      await page.click(TEXT);
      await page.press('Control+Home');
      await page.type('At the ');
      await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^At the Harbour Lane Bakery/);
      const databases = () =>
        page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
      // A database that cannot store files would block everything that waits for it.
      await expect.poll(databases, POLL_OPTIONS).toEqual([]);

      await page.reload();
      expect(await page.count(RECENT)).toBe(0);
      await readNote(page);
    });
  }

  test('several pictures become a list, are all read, and open separately and together', async () => {
    const row = (name: string, text: RegExp): Target => ({
      role: 'listitem',
      text,
      within: { role: 'listitem', text: new RegExp(`^.*${name.replace('.', '\\.')}`) },
    });
    await page.open(PAGES.home);
    await page.upload(copyOfNote('page-1.png'), copyOfNote('page-2.png'));
    await page.waitFor(row('page-2.png', /Waiting/));
    await page.click(EXTRACT);
    await page.waitFor(row('page-1.png', /Read: \d+ words, \d+% confidence/));
    await page.waitFor(row('page-2.png', /Read: \d+ words, \d+% confidence/));
    await expect
      .poll(() => page.text(TOAST), POLL_OPTIONS)
      .toMatch(/Extracted \d+ words with \d+% confidence from 2 pictures/);

    await page.click(button('Open page-1.png'));
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^Harbour Lane/);
    await page.click(TEXT);
    await page.press('Control+Home');
    await page.type('First: ');
    await page.click(button('Copy or download all'));
    await expect
      .poll(() => page.value(field('All texts together')), POLL_OPTIONS)
      .toMatch(/^==> page-1\.png <==\n\nFirst: Harbour Lane[\s\S]+\n==> page-2\.png <==\n\nHarbour Lane/);
  });

  test('a PDF opens as pages: its text is shown at once, and a scanned page is read', async () => {
    const letter = pdfOf([{ width: 400, height: 300, words: 'Paid in full on Tuesday' }, await scanPage()]);
    await page.open(PAGES.home);
    await page.upload(fileOf('letter.pdf', letter));
    await page.waitFor({ role: 'listitem', text: /letter-page-1\.png.*nothing was counted: 5 words/ });
    await page.waitFor({ role: 'listitem', text: /letter-page-2\.jpg.*Waiting/ });
    await page.click(button('Open letter-page-1.png'));
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toBe('Paid in full on Tuesday');

    await page.click(EXTRACT);
    await page.waitFor({ role: 'listitem', text: /letter-page-2\.jpg.*Read: \d+ words/ });
    await page.click(button('Open letter-page-2.jpg'));
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^Harbour lights/);
  });

  test('a user registers, pays with the demo provider, signs in, reads a picture and signs out', async () => {
    people += 1;
    const username = `person-${people}`;
    await page.open(PAGES.home);
    await page.click(button('Premium Sign In'));
    await page.click({ role: 'tab', name: 'Register', within: DIALOG });
    await page.fill(field('Username', DIALOG), username);
    await page.fill(field('Email', DIALOG), `${username}@example.org`);
    await page.fill(field('Password', DIALOG), PASSWORD);
    await page.fill(field('Confirm Password', DIALOG), PASSWORD);
    await page.click(button('Create Account', DIALOG));

    const payment: Target = { css: '[data-testid=payment-modal]' };
    expect(await page.value(field('Email', payment))).toBe(`${username}@example.org`);
    await page.click(button('Pay with the demo provider', payment));
    await expect.poll(() => page.text(TOAST), POLL_OPTIONS).toContain('Registration Successful!');
    await page.fill(field('Username', DIALOG), username);
    await page.fill(field('Password', DIALOG), PASSWORD);
    await page.click(button('Login', DIALOG));
    await page.waitForGone(DIALOG);
    await page.waitFor(button(username));

    await page.upload(NOTE);
    await page.click(EXTRACT);
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toMatch(/^Harbour Lane Bakery/);

    await page.click(button(username));
    await page.click(menuItem('Sign Out'));
    await expect.poll(() => page.text(TOAST), POLL_OPTIONS).toContain('Successfully logged out');
    await page.waitFor(button('Premium Sign In'));
    await page.waitForGone(TEXT);
  });

  test('a member saves a text, opens it from the account page, renames it and deletes it', async () => {
    await becomeMember(page);
    const text = await readNote(page);
    await page.click(button('Save text'));
    await page.fill(field('Name', DIALOG), 'Bakery list');
    await page.press('Enter');
    await expect.poll(() => page.text(TOAST), POLL_OPTIONS).toContain('Saved');

    await page.open(PAGES.account);
    await page.click({ role: 'link', name: 'Open Bakery list' });
    await page.waitFor(heading('Bakery list'));
    await expect.poll(() => page.value(TEXT), POLL_OPTIONS).toBe(text);

    await page.click(button('Rename'));
    await page.fill(field('Name', DIALOG), 'Bread list');
    await page.click(button('Rename', DIALOG));
    await page.waitFor(heading('Bread list'));

    await page.click(button('Delete'));
    await page.click(button('Delete', DIALOG));
    await expect.poll(() => page.path(), POLL_OPTIONS).toBe(PAGES.texts);
    await page.waitForGone(heading('Bread list'));
    await page.reload();
    await page.waitFor({ text: /^Nothing saved yet/ });
  });

  test('the blog links to an article and back, and other pages fit a width of 375 pixels', async () => {
    await page.open(PAGES.blog);
    const first: Target = { role: 'link', within: { role: 'article' } };
    const title = await page.text({ role: 'heading', within: { role: 'article' } });
    await page.click(first);
    await page.waitFor({ css: 'h1', text: title });
    expect(await page.path()).toMatch(new RegExp(`^${PAGES.blog}/.`));
    await page.back();
    await expect.poll(() => page.path(), POLL_OPTIONS).toBe(PAGES.blog);
    await page.waitFor({ role: 'heading', name: title, within: { role: 'article' } });

    await page.setViewport(375, 812);
    for (const path of [PAGES.premium, PAGES.developers, PAGES.terms, PAGES.privacy, PAGES.refund]) {
      await page.open(path);
      await page.waitFor({ css: 'h1' });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `pixels that ${path} is too wide`).toBeLessThanOrEqual(0);
    }
  });
});

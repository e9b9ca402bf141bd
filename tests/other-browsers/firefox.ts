import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyInput, launch, type Page as PuppeteerPage } from 'puppeteer-core';
import { firefoxPath } from '../../scripts/test-programs.mjs';
import type { Browser, Json, Tab } from './driver.ts';
import { reportPolicyViolations } from './page-watch.ts';

/** Starts headless Firefox, controlled over WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const downloads = mkdtempSync(join(tmpdir(), 'glyphlift-firefox-'));
  const firefox = await launch({
    browser: 'firefox',
    executablePath: firefoxPath(),
    headless: true,
    extraPrefsFirefox: {
      // To a folder of this name instead of the user's own.
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
    },
  });
  return {
    downloads,
    unfinishedDownload: '.part',
    async newTab() {
      const context = await firefox.createBrowserContext();
      const page = await context.newPage();
      return new FirefoxTab(page, await watchConsole(page), () => context.close());
    },
    async close() {
      await firefox.close();
      rmSync(downloads, { recursive: true, force: true });
    },
  };
}

async function watchConsole(page: PuppeteerPage): Promise<readonly string[]> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error instanceof Error ? error.message : error}`));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) errors.push(message.text());
  });
  await page.evaluateOnNewDocument(reportPolicyViolations);
  return errors;
}

class FirefoxTab implements Tab {
  readonly #page: PuppeteerPage;
  readonly #errors: readonly string[];
  readonly close: () => Promise<void>;

  constructor(page: PuppeteerPage, errors: readonly string[], close: () => Promise<void>) {
    this.#page = page;
    this.#errors = errors;
    this.close = close;
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  async back(): Promise<void> {
    await this.#page.goBack();
  }

  async evaluate<Args extends Json[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.#page.evaluate(work as (...args: unknown[]) => unknown, ...args)) as Result;
  }

  clickAt(x: number, y: number): Promise<void> {
    return this.#page.mouse.click(x, y);
  }

  async pressTogether(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.down(key as KeyInput);
    for (const key of keys.toReversed()) await this.#page.keyboard.up(key as KeyInput);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  async chooseFiles(paths: readonly string[]): Promise<void> {
    const input = await this.#page.waitForSelector('input[type=file]');
    if (!input) throw new Error('the page has no file input');
    await input.uploadFile(...paths);
  }

  setViewport(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }

  async consoleErrors(): Promise<readonly string[]> {
    return this.#errors;
  }
}

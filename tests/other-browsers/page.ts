import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Json, Tab } from './driver.ts';
import { type Found, type JsonTarget, lookUp, type Pattern, type Role } from './look-up.ts';

/** Selects elements. All given fields must match. */
export interface Target {
  role?: Role;
  /** Accessible name. A string has to be the whole name. */
  name?: string | RegExp;
  css?: string;
  /** Text content, with runs of white space as one space. A string has to be the whole text. */
  text?: string | RegExp;
  within?: Target;
}

/** Long, because the machine may be busy and tests check effects, not speed. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** A page of the product, used by roles, names and texts. Methods wait until their target is visible. */
export class Page {
  readonly #browser: Browser;
  readonly #tab: Tab;
  readonly #origin: string;

  private constructor(browser: Browser, tab: Tab, origin: string) {
    this.#browser = browser;
    this.#tab = tab;
    this.#origin = origin;
  }

  /** @param origin of the server, without a slash at its end */
  static async create(browser: Browser, origin: string): Promise<Page> {
    const tab = await browser.newTab();
    try {
      await tab.setViewport(1280, 900);
    } catch (error) {
      await tab.close();
      throw error;
    }
    return new Page(browser, tab, origin);
  }

  async open(path: string): Promise<void> {
    await this.#tab.open(`${this.#origin}${path}`);
    await this.#untilHydrated();
  }

  async reload(): Promise<void> {
    await this.#tab.reload();
    await this.#untilHydrated();
  }

  back(): Promise<void> {
    return this.#tab.back();
  }

  async click(target: Target): Promise<void> {
    let obstacle = '';
    const what = () => `${describeTarget(target)} can be clicked, but ${obstacle}`;
    const { x, y } = await until(what, async () => {
      const { point } = await this.#tab.evaluate(lookUp, toJsonTarget(target), true);
      if (!('obstacle' in point)) return point;
      ({ obstacle } = point);
      return null;
    });
    await this.#tab.clickAt(x, y);
  }

  /** Replaces the content of a field by typing. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.press('Control+a');
    await this.press('Delete');
    await this.type(text);
  }

  type(text: string): Promise<void> {
    return this.#tab.type(text);
  }

  /** @param keys held down together, as in `Control+Home` */
  press(keys: string): Promise<void> {
    return this.#tab.pressTogether(keys.split('+'));
  }

  /** Chooses files in the page's file input. Absolute paths. */
  upload(...paths: string[]): Promise<void> {
    return this.#tab.chooseFiles(paths);
  }

  /** Text content of the first match, with runs of white space as one space. */
  async text(target: Target): Promise<string> {
    return (await this.waitFor(target)).text;
  }

  /** Value of the first match, which is a field. */
  async value(target: Target): Promise<string> {
    return (await this.waitFor(target)).value;
  }

  async isFocused(target: Target): Promise<boolean> {
    return (await this.waitFor(target)).isFocused;
  }

  /** Current number of visible elements that match. */
  async count(target: Target): Promise<number> {
    return (await this.#find(target)).length;
  }

  /** Resolves with the first match. */
  waitFor(target: Target): Promise<Found> {
    return until(`${describeTarget(target)} is visible`, async () => (await this.#find(target))[0]);
  }

  async waitForGone(target: Target): Promise<void> {
    await until(`${describeTarget(target)} is gone`, async () => (await this.count(target)) === 0);
  }

  evaluate<Args extends Json[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#tab.evaluate(work, ...args);
  }

  /** The path of the address. */
  path(): Promise<string> {
    return this.#tab.evaluate(() => location.pathname);
  }

  /** The file that the page offers for download while `act` runs. */
  async download(act: () => Promise<void>): Promise<{ name: string; text: string }> {
    const { downloads, unfinishedDownload } = this.#browser;
    await act();
    const name = await until('a download is complete', async () => {
      const names = readdirSync(downloads);
      const [first] = names;
      if (!first || names.some((one) => one.endsWith(unfinishedDownload))) return null;
      return statSync(join(downloads, first)).size > 0 ? first : null;
    });
    const text = readFileSync(join(downloads, name), 'utf8');
    rmSync(join(downloads, name));
    return { name, text };
  }

  setViewport(width: number, height: number): Promise<void> {
    return this.#tab.setViewport(width, height);
  }

  consoleErrors(): Promise<readonly string[]> {
    return this.#tab.consoleErrors();
  }

  close(): Promise<void> {
    return this.#tab.close();
  }

  async #find(target: Target): Promise<Found[]> {
    return (await this.#tab.evaluate(lookUp, toJsonTarget(target), false)).found;
  }

  /** Waits for hydration, because server-rendered markup is visible earlier. */
  async #untilHydrated(): Promise<void> {
    await until('the page is hydrated', () =>
      this.#tab.evaluate(() => {
        const link = document.querySelector('header a');
        const isHydrated = link !== null && Object.keys(link).some((key) => key.startsWith('__reactProps'));
        return isHydrated && !('earlyCapture' in window);
      }),
    );
  }
}

/** Polls until there is a result. */
async function until<Answer>(
  what: string | (() => string),
  ask: () => Promise<Answer | null | undefined | false>,
): Promise<Answer> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) {
      throw new Error(`waited ${TIMEOUT_MS / 1000} s until ${typeof what === 'string' ? what : what()}`);
    }
    await delay(POLL_MS);
  }
}

function patternOf(pattern: string | RegExp): Pattern {
  return typeof pattern === 'string' ? { whole: pattern } : { source: pattern.source, flags: pattern.flags };
}

function toJsonTarget({ role, name, css, text, within }: Target): JsonTarget {
  return {
    ...(role && { role }),
    ...(name !== undefined && { name: patternOf(name) }),
    ...(css && { css }),
    ...(text !== undefined && { text: patternOf(text) }),
    ...(within && { within: toJsonTarget(within) }),
  };
}

function describeTarget({ role, name, css, text, within }: Target): string {
  const parts = [
    role ?? css ?? 'an element',
    name !== undefined && `named ${name}`,
    text !== undefined && `with the text ${text}`,
    within && `in ${describeTarget(within)}`,
  ];
  return parts.filter(Boolean).join(' ');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { miniBrowserPath, webkitDriverPath, xvfbPath } from '../../scripts/system.mjs';
import { freePort } from '../support/free-port.ts';
import { type Browser, type Json, NAMED_KEYS, type Tab } from './driver.ts';
import { collectErrors } from './page-watch.ts';

/** The name under which WebDriver answers with an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * Starts WebKitGTK's driver on a display of its own. Every tab is a session with its own MiniBrowser, because a session
 * cannot open a second set of cookies.
 */
export async function launchWebkit(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'glyphlift-webkit-'));
  const downloads = join(home, 'downloads');
  const settings = join(home, '.config');
  mkdirSync(downloads);
  mkdirSync(join(settings, 'gtk-3.0'), { recursive: true });
  writeFileSync(join(settings, 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n');
  // MiniBrowser's toolbar would keep its window from becoming as narrow as a phone.
  writeFileSync(join(settings, 'gtk-3.0', 'gtk.css'), '* { padding: 0; margin: 0; min-width: 0; }\n');

  const { display, screen } = await startDisplay();
  const port = await freePort();
  const driver = spawn(webkitDriverPath(), ['--host=127.0.0.1', `--port=${port}`], {
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: settings,
      XDG_RUNTIME_DIR: home,
      DISPLAY: display,
      // Its sandbox does not work for root, who runs the tests in a container.
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, driver);
  return {
    downloads,
    unfinishedDownload: '.wkdownload',
    newTab: () => WebkitTab.create(url),
    async close() {
      await end(driver);
      await end(screen);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A screen in memory: GTK needs one. */
async function startDisplay(): Promise<{ display: string; screen: ChildProcess }> {
  const screen = spawn(xvfbPath(), ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(screen.stdio[3] as Readable, 'data');
  return { display: `:${String(number).trim()}`, screen };
}

async function untilReady(url: string, driver: ChildProcess): Promise<void> {
  for (;;) {
    if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`);
    const isReady = await fetch(`${url}/status`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await delay(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

class WebkitTab implements Tab {
  /** Address of the session. */
  readonly #session: string;
  readonly #errors: string[] = [];

  private constructor(session: string) {
    this.#session = session;
  }

  static async create(driver: string): Promise<WebkitTab> {
    const { sessionId } = (await call('POST', `${driver}/session`, {
      capabilities: {
        alwaysMatch: {
          // Navigation returns at once, so that errors are collected before the scripts of the page run.
          pageLoadStrategy: 'none',
          'webkitgtk:browserOptions': { binary: miniBrowserPath(), args: ['--automation'] },
        },
      },
    })) as { sessionId: string };
    return new WebkitTab(`${driver}/session/${sessionId}`);
  }

  open(url: string): Promise<void> {
    return this.#leave(() => this.#post('url', { url }));
  }

  reload(): Promise<void> {
    return this.#leave(() => this.#post('refresh', {}));
  }

  async back(): Promise<void> {
    await this.#post('back', {});
  }

  async evaluate<Args extends Json[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const script = `const errors = (${collectErrors})();
      return Promise.resolve((${work})(...arguments)).then((value) => ({ value, errors: errors.splice(0) }));`;
    const { value, errors } = (await this.#post('execute/sync', { script, args })) as {
      value: Result;
      errors: string[];
    };
    this.#errors.push(...errors);
    return value;
  }

  clickAt(x: number, y: number): Promise<void> {
    return this.#act('pointer', [
      { type: 'pointerMove', duration: 0, origin: 'viewport', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  pressTogether(keys: readonly string[]): Promise<void> {
    const values = keys.map((key) => NAMED_KEYS[key] ?? key);
    return this.#act('key', [
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
  }

  type(text: string): Promise<void> {
    return this.#act(
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  }

  async chooseFiles(paths: readonly string[]): Promise<void> {
    const input = (await this.#post('element', {
      using: 'css selector',
      value: 'input[type=file]',
    })) as Record<string, string>;
    await this.#post(`element/${input[ELEMENT]}/value`, { text: paths.join('\n') });
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.#post('window/rect', { width, height });
    // What the toolbar takes.
    const shown = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await this.#post('window/rect', {
      width: 2 * width - shown.width,
      height: 2 * height - shown.height,
    });
    const now = await this.evaluate(() => innerWidth);
    if (now !== width) throw new Error(`the window is ${now} pixels wide instead of ${width}`);
  }

  /** WebDriver reports no console: errors before the first look at a page can be missing. */
  async consoleErrors(): Promise<readonly string[]> {
    await this.evaluate(() => null);
    return this.#errors;
  }

  async close(): Promise<void> {
    await call('DELETE', this.#session);
  }

  /** Waits until another document than the present one has loaded. */
  async #leave(go: () => Promise<unknown>): Promise<void> {
    await this.evaluate(() => {
      document.documentElement.dataset.left = '';
    });
    await go();
    for (;;) {
      const hasLoaded = await this.evaluate(
        () => !('left' in document.documentElement.dataset) && document.readyState === 'complete',
      ).catch(() => false);
      if (hasLoaded) return;
    }
  }

  async #act(type: 'key' | 'pointer', actions: readonly object[]): Promise<void> {
    const parameters = type === 'pointer' ? { parameters: { pointerType: 'mouse' } } : {};
    await this.#post('actions', { actions: [{ type, id: type, ...parameters, actions }] });
  }

  #post(command: string, body: object): Promise<unknown> {
    return call('POST', `${this.#session}/${command}`, body);
  }
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { miniBrowserPath, webkitDriverPath, xvfbPath } from '../../scripts/test-programs.mjs';
import { freePort } from '../support/free-port.ts';
import { type Browser, type Json, NAMED_KEYS, type Tab } from './driver.ts';
import { collectErrors } from './page-watch.ts';

/** Property name of element references in WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Timeout of a command, a page or a window. The driver sometimes loses a command. */
const TIMEOUT_MS = 20_000;
const RETRY_MS = 5000;
const MAX_ATTEMPTS = 3;

/**
 * WebKitGTK on a separate display. Each tab is a MiniBrowser with its own driver: a driver has one session at a time, and a
 * session has only one set of cookies.
 */
export async function launchWebkit(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'glyphlift-webkit-'));
  const downloads = join(home, 'downloads');
  const settings = join(home, '.config');
  mkdirSync(downloads);
  mkdirSync(join(settings, 'gtk-3.0'), { recursive: true });
  writeFileSync(join(settings, 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n');
  // With its toolbar, the window of MiniBrowser could not become as narrow as a phone.
  writeFileSync(join(settings, 'gtk-3.0', 'gtk.css'), '* { padding: 0; margin: 0; min-width: 0; }\n');

  const { display, screen } = await startDisplay();
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: settings,
    XDG_RUNTIME_DIR: home,
    DISPLAY: display,
    // WebKit's sandbox does not work for root, the user of tests in a container.
    ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  };
  return {
    downloads,
    unfinishedDownload: '.wkdownload',
    async newTab() {
      for (let attempt = 1; ; attempt++) {
        const driver = await startDriver(env);
        try {
          return await WebkitTab.create(driver);
        } catch (error) {
          await driver.stop();
          // A new MiniBrowser sometimes does not answer its driver.
          if (attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
    async close() {
      await end(screen);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

interface Driver {
  url: string;
  /** Ends the driver and its MiniBrowser. */
  stop(): Promise<void>;
}

async function startDriver(env: NodeJS.ProcessEnv): Promise<Driver> {
  const port = await freePort();
  const child = spawn(webkitDriverPath(), ['--host=127.0.0.1', `--port=${port}`], {
    env,
    stdio: 'ignore',
    // A separate process group, which includes its MiniBrowser.
    detached: true,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

/** A virtual screen, which GTK needs. */
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
  readonly #driver: Driver;
  /** Address of the session. */
  readonly #session: string;
  readonly #errors: string[] = [];

  private constructor(driver: Driver, id: string) {
    this.#driver = driver;
    this.#session = `${driver.url}/session/${id}`;
  }

  static async create(driver: Driver): Promise<WebkitTab> {
    const { sessionId } = (await call('POST', `${driver.url}/session`, {
      capabilities: {
        alwaysMatch: {
          // Navigation returns at once, so that errors are collected before the scripts of the page run.
          pageLoadStrategy: 'none',
          'webkitgtk:browserOptions': { binary: miniBrowserPath(), args: ['--automation'] },
        },
      },
    })) as { sessionId: string };
    return new WebkitTab(driver, sessionId);
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
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const shown = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
      if (shown.width === width && shown.height === height) return;
      if (Date.now() > deadline)
        throw new Error(
          `the page is ${shown.width} × ${shown.height} instead of ${width} × ${height} pixels`,
        );
      // The toolbar takes a part of the window.
      const outer = (await call('GET', `${this.#session}/window/rect`)) as { width: number; height: number };
      await this.#post('window/rect', {
        width: outer.width + width - shown.width,
        height: outer.height + height - shown.height,
      });
      // The command returns before the page has its new size.
      await delay(100);
    }
  }

  /** WebDriver does not report the console, so errors before the first command on a page can be missing. */
  async consoleErrors(): Promise<readonly string[]> {
    await this.evaluate(() => null);
    return this.#errors;
  }

  async close(): Promise<void> {
    await call('DELETE', this.#session).finally(() => this.#driver.stop());
  }

  /** Waits until another document than the current one has loaded. */
  async #leave(go: () => Promise<unknown>): Promise<void> {
    await this.evaluate(() => {
      document.documentElement.dataset.left = '';
    });
    await go();
    const startedAt = Date.now();
    let retryAt = startedAt + RETRY_MS;
    for (;;) {
      const state = await this.evaluate(() =>
        'left' in document.documentElement.dataset ? 'the present document' : document.readyState,
      ).catch((error: unknown) => String(error));
      if (state === 'complete') return;
      if (Date.now() > startedAt + TIMEOUT_MS) throw new Error(`the page has not loaded: ${state}`);
      // A new window may load its initial empty document after the command, instead of the requested one.
      if (state !== 'the present document' || Date.now() < retryAt) continue;
      await go();
      retryAt = Date.now() + RETRY_MS;
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
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`${method} ${new URL(url).pathname} has no answer`, { cause: error });
  });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}

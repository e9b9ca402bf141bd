import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from '@playwright/test';
import axe from 'axe-core';
import { strFromU8, unzipSync } from 'fflate';
import { launch } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DOUBTFUL_BELOW as DOUBTFUL_IN_EXTENSION } from '../../extension/src/marked-text.ts';
import { chromiumFlags, chromiumPath, firefoxPath } from '../../scripts/test-programs.mjs';
import { DOUBTFUL_BELOW } from '../../src/contract/product.ts';
import { createEngine } from '../../src/ocr/engine.ts';
import { eventually } from '../support/eventually.ts';
import { keyOf } from '../support/jobs.ts';
import { createMember } from '../support/people.ts';
import { FIXTURE_TEXT, fixture } from '../support/pictures.ts';
import { BASIC_ENGINE } from '../support/real-engines.ts';
import { sharedServer } from '../support/server-app.ts';

const run = promisify(execFile);
const eventual = <T>(value: () => T) => expect.poll(value, { timeout: 20_000 });
const PERMISSIONS = ['activeTab', 'clipboardWrite', 'contextMenus', 'scripting', 'storage'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-extension-'));
  await run(process.execPath, ['scripts/extension.mjs', folder]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy with the host permission in its manifest, because a test cannot answer the browser's permission dialog. */
async function unpackAllowed(): Promise<string> {
  const unpacked = join(folder, 'allowed');
  await cp(join(folder, 'chromium'), unpacked, { recursive: true });
  const manifest = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'));
  manifest.host_permissions = ['http://127.0.0.1/*'];
  await writeFile(join(unpacked, 'manifest.json'), JSON.stringify(manifest));
  return unpacked;
}

describe('the packed extension', () => {
  it.each(['chromium', 'firefox'])(
    'for %s requests no host permission and only the permissions that it uses',
    async (browser) => {
      const { version } = JSON.parse(await readFile('package.json', 'utf8'));
      const files = unzipSync(await readFile(join(folder, `glyphlift-${browser}-${version}.zip`)));
      const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()));
      expect(manifest).toMatchObject({ manifest_version: 3, version });
      expect([...manifest.permissions].sort()).toEqual(PERMISSIONS);
      expect(manifest.host_permissions).toBeUndefined();
      const named = [
        ...Object.values(manifest.icons),
        manifest.options_ui.page,
        manifest.background.service_worker ?? manifest.background.scripts[0],
      ];
      for (const name of named) expect(Object.keys(files)).toContain(name);
    },
  );

  it('has the same confidence threshold as the product', () =>
    expect(DOUBTFUL_IN_EXTENSION).toBe(DOUBTFUL_BELOW));
});

describe('the extension in Chromium', () => {
  const engine = createEngine(BASIC_ENGINE);
  const calls: string[] = [];
  const server = sharedServer({
    engine,
    env: { RATE_LIMIT_PER_MINUTE: '1000' },
    prepare(app) {
      app.addHook('onRequest', async ({ method, url, headers }) => {
        if (headers['user-agent']?.includes('Chrome/')) calls.push(`${method} ${url}`);
      });
    },
  });
  let address: string;
  let apiKey: string;
  let site: Server;
  let siteUrl: string;
  let context: BrowserContext;
  let background: Worker;
  let browser: CDPSession;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    const picture = fixture('harbour-lights.png');
    site = createServer(({ url }, response) => {
      const isPage = url === '/';
      const { port } = site.address() as AddressInfo;
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'image/png' });
      response.end(isPage ? pageOf(`http://127.0.0.1:${port}`) : picture);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
    address = await server.app.listen({ host: '127.0.0.1', port: 0 });
    apiKey = await keyOf(await createMember(server.app, 'owner'));
    await engine.ready();

    const unpacked = await unpackAllowed();
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: chromiumPath(),
      headless: false,
      viewport: null,
      args: [
        ...chromiumFlags(),
        '--headless=new',
        '--window-size=1200,900',
        `--load-extension=${unpacked}`,
        `--disable-extensions-except=${unpacked}`,
        '--enable-unsafe-extension-debugging',
      ],
      ignoreDefaultArgs: ['--disable-extensions'],
    });
    background = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    id = new URL(background.url()).host;
    browser = await context.browser()!.newBrowserCDPSession();
    // The options page opens in the empty tab of the new window.
    await eventually(() => options() !== undefined);
    page = await context.newPage();
    await options()!.close();
  });
  afterAll(async () => {
    await context?.close();
    site?.close();
    await engine.close();
  });
  afterEach(async () => {
    for (const one of context.pages()) if (one.url().includes('panel.html')) await one.close();
  });

  /** Presses the extension's button, which grants it access to the tab until the next page. */
  async function trigger(): Promise<void> {
    await page.bringToFront();
    const { targetInfos } = await browser.send('Target.getTargets', { filter: [{ type: 'tab' }] });
    const { targetId } = targetInfos.find(({ url }) => url.startsWith(siteUrl))!;
    // The protocol types do not have this method yet.
    await browser.send('Extensions.triggerAction' as 'Target.activateTarget', { id, targetId } as never);
  }

  async function press(): Promise<void> {
    await trigger();
    await eventual(() => page.locator('glyphlift-frame').count()).toBe(1);
  }

  /** Chooses the entry in the picture's context menu. A test cannot click the native menu, so the event is dispatched. */
  async function chooseMenu(picture: string): Promise<void> {
    await press();
    await page.keyboard.press('Escape');
    const srcUrl = await page.locator(picture).evaluate((image: HTMLImageElement) => image.currentSrc);
    await background.evaluate(
      async (given) => {
        const [tab] = await chrome.tabs.query({ url: `${given.siteUrl}/` });
        const clicked = chrome.contextMenus.onClicked as unknown as {
          dispatch(...event: unknown[]): void;
        };
        clicked.dispatch({ menuItemId: 'read-image', srcUrl: given.srcUrl, frameId: 0 }, tab);
      },
      { srcUrl, siteUrl: siteUrl.replace(/:\d+$/, '') },
    );
  }

  const panel = async () => {
    const known = context.pages().find((one) => one.url().includes('panel.html'));
    return known ?? context.waitForEvent('page', (one) => one.url().includes('panel.html'));
  };
  const options = () => context.pages().find((one) => one.url().includes('options.html'));
  const stateOf = (shown: Page) => shown.getByRole('status').textContent();
  const textOf = (shown: Page) => shown.locator('#text').textContent();

  async function expectAccessible(shown: Page): Promise<void> {
    await shown.evaluate(axe.source);
    const { violations } = await shown.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
  }

  async function connect(given: { server: string; key: string }): Promise<Page> {
    const options = await context.newPage();
    await options.goto(`chrome-extension://${id}/options.html`);
    await options.getByLabel('Server').fill(given.server);
    await options.getByLabel('API key').fill(given.key);
    await options.getByRole('button', { name: 'Save and check' }).click();
    return options;
  }

  it('opens its options instead of reading until a server is set', async () => {
    await page.goto(siteUrl);
    await trigger();
    await eventual(options).toBeDefined();
    await options()!.close();
  });

  it('rejects an address without TLS, a server that is not Glyphlift and a wrong key, each with a message', async () => {
    for (const [given, sentence] of [
      [{ server: 'http://read.example.org', key: 'x' }, /^The address of a server begins with https:\/\//],
      [{ server: address, key: 'wrong' }, /does not accept this API key\. Check it in the options\.$/],
      [
        { server: siteUrl.replace('localhost', '127.0.0.1'), key: apiKey },
        /Check the address in the options\.$/,
      ],
    ] as const) {
      const options = await connect(given);
      await eventual(() => stateOf(options)).toMatch(sentence);
      await options.close();
    }
  });

  it('saves a server that accepts the key, and offers its languages', async () => {
    const options = await connect({ server: address, key: apiKey });
    await expect
      .poll(() => stateOf(options))
      .toMatch(/^Saved\. 0 of 1,500 extractions of this month used\.$/);
    expect(await options.getByLabel('Language of the text').inputValue()).toBe('eng');
    await expectAccessible(options);
    await options.close();
  });

  it('reads a same-origin picture as a file, and copies its text to the clipboard', async () => {
    await page.goto(siteUrl);
    await chooseMenu('#own');
    const shown = await panel();
    await eventual(() => stateOf(shown)).toMatch(/^(Copied to the clipboard|Read): 4 words, confidence \d+%/);
    expect(await textOf(shown)).toBe(FIXTURE_TEXT);
    await shown.bringToFront();
    await shown.getByRole('button', { name: 'Copy' }).click();
    await eventual(() => stateOf(shown)).toMatch(/^Copied to the clipboard: /);
    await context.grantPermissions(['clipboard-read']);
    expect(await shown.evaluate(() => navigator.clipboard.readText())).toBe(FIXTURE_TEXT);
  });

  it('reads a cross-origin picture from a screenshot, and says so', async () => {
    await page.goto(siteUrl);
    await chooseMenu('#other');
    const shown = await panel();
    await eventual(() => textOf(shown)).toBe(FIXTURE_TEXT);
    expect(await shown.getByRole('listitem').allInnerTexts()).toContain(
      'Read from a screenshot. Zoom in on the page if small text is wrong.',
    );
  });

  it('reads a frame that was drawn with the mouse, and marks doubtful words with other readings', async () => {
    await page.goto(siteUrl);
    await press();
    const box = (await page.locator('#blurred').boundingBox())!;
    await page.mouse.move(box.x, box.y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width, box.y + box.height, { steps: 3 });
    await page.mouse.up();
    const shown = await panel();
    await eventual(() => stateOf(shown)).toMatch(/doubtful words? marked/);
    await eventual(() => shown.locator('mark').count()).toBeGreaterThan(0);
    expect(await shown.locator('mark').first().getAttribute('title')).toMatch(/^Doubtful, \d+% confidence/);
    await expectAccessible(shown);
  });

  it('keeps the frame open after a click and after a right click', async () => {
    await page.goto(siteUrl);
    await press();
    const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await page.mouse.click(width / 2, height / 2);
    await page.mouse.click(width / 2, height / 2, { button: 'right' });
    expect(await page.locator('glyphlift-frame').count()).toBe(1);
    await page.keyboard.press('Escape');
    await eventual(() => page.locator('glyphlift-frame').count()).toBe(0);
    expect(context.pages().some((one) => one.url().includes('panel.html'))).toBe(false);
  });

  it('reads a frame that was moved with the keyboard, and reads nothing after Escape', async () => {
    await page.goto(siteUrl);
    await press();
    await page.keyboard.press('Escape');
    await eventual(() => page.locator('glyphlift-frame').count()).toBe(0);
    await press();
    for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowUp');
    for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const shown = await panel();
    await eventual(() => textOf(shown)).toContain('Harbour lights');
    expect(await page.locator('glyphlift-frame').count()).toBe(0);
  });

  it('reports a picture without text, and does not offer to copy it', async () => {
    await page.goto(siteUrl);
    await chooseMenu('#empty');
    const shown = await panel();
    await eventual(() => stateOf(shown)).toBe('No text was found in this picture.');
    expect(await shown.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
  });

  it('makes only the declared calls to the server', async () => {
    expect(new Set(calls)).toEqual(
      new Set(['GET /api/usage', 'GET /api/languages', 'POST /api/extract-text']),
    );
  });
});

// Firefox's driver cannot open extension pages, so only the installation is tested.
it('is installed by Firefox', async () => {
  const firefox = await launch({ browser: 'firefox', executablePath: firefoxPath(), headless: true });
  try {
    expect(await firefox.installExtension(join(folder, 'firefox'))).toBe('glyphlift@glyphlift.example');
  } finally {
    await firefox.close();
  }
});

/** A page with a same-origin picture, a cross-origin picture, and text. */
const pageOf = (other: string) => `<!doctype html><html lang="en"><title>Site</title>
<style>body{margin:20px;font:20px sans-serif}img{display:block;margin-bottom:20px}</style>
<img id="own" src="/harbour-lights.png" alt="">
<img id="other" src="${other}/harbour-lights.png" alt="">
<img id="empty" width="200" height="60" alt=""
  src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==">
<p id="blurred" style="filter:blur(1.6px);width:420px">Serial Qx0O1lI8B5S2Z of kiln 7</p>`;

/**
 * `npm run bench:screenshots -- FOLDER`: takes screenshots of every page and every main state at five widths, light and dark,
 * with the built product, and lists them in `FOLDER/index.html`. `--only PART` selects scenes by a part of their name,
 * `--widths 375,1440` selects widths.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { login } from '#contract/calls/accounts';
import { makeApiKey } from '#contract/calls/api-keys';
import { createJob } from '#contract/calls/jobs';
import { extractText } from '#contract/calls/recognition';
import { listTexts } from '#contract/calls/saved-texts';
import { renewWebhookSecret } from '#contract/calls/webhooks';
import { articlePage, PAGES, savedTextPage } from '#contract/paths';
import { FREE, PASSWORD, PREMIUM, seedDatabase } from '../scripts/seeds.ts';
import { scanPage, twoPageTiff } from '../tests/support/documents.ts';
import { pdfOf } from '../tests/support/pdf.ts';
import { openPage, receipt, type Staged, stage } from './staged.ts';

const SIZES = [
  [320, 568],
  [375, 667],
  [768, 1024],
  [1440, 900],
  [2560, 1440],
] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Maximum captured height of the tool on the start page, in CSS pixels. */
const TOOL_HEIGHT = 1700;
/** Milliseconds after which a page has adapted to its width and colors. */
const REST_MS = 150;
/** Milliseconds for the slowest step of a scene: reading a picture on a busy machine. */
const TIMEOUT_MS = 120_000;

/** Loads lazy images, which otherwise load only near the viewport. */
const EAGER = `for (const image of document.images) image.loading = 'eager'`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, widths: { type: 'string' } },
});
const folder = positionals[0] ?? 'data/screenshots';
const widths = options.widths?.split(',').map(Number);
const sizes = SIZES.filter(([width]) => widths?.includes(width) ?? true);

interface Scene {
  name: string;
  path?: string;
  /** The signed-in user; absent for a visitor. */
  as?: string;
  /** Actions before the first screenshot. */
  act?: (page: Page, url: string) => Promise<unknown>;
  /** Actions at every width, for states that a change of width resets. */
  atWidth?: (page: Page) => Promise<unknown>;
  /** Captures only the viewport, because an overlay covers the page. */
  isOverlay?: boolean;
  forced?: boolean;
  /** Allows the service worker, which caches the tool. */
  isInstalled?: boolean;
}

const file = (page: Page) => page.locator('input[type=file]').first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const isRead = (page: Page) =>
  page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: TIMEOUT_MS });

const choose = async (page: Page, picture?: string) => {
  await file(page).setInputFiles(picture ?? (await receipt()));
  await page.getByRole('img', { name: /Preview of/ }).waitFor();
};
const arrive = async (page: Page, picture?: string) => {
  await choose(page, picture);
  await button(page, 'Extract Text').click();
  await isRead(page);
};
const read = async (page: Page, picture?: string) => {
  await arrive(page, picture);
  await page.locator('.toast').waitFor({ state: 'hidden', timeout: 30_000 });
};
const several = async (page: Page) => {
  await file(page).setInputFiles([await receipt('page-1.jpg'), await receipt('page-2.jpg')]);
  await page.getByRole('list', { name: 'Files' }).waitFor();
};
/** Chooses a document, which opens its pages. */
const opened = async (page: Page, name: string, mimeType: string, bytes: Uint8Array) => {
  await file(page).setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) });
  await page.getByRole('list', { name: 'Files' }).getByText('Waiting').first().waitFor();
};
const held = (page: Page) => page.route(`**${extractText.path}`, () => {});
const layOut = (layout: string) => async (page: Page) => {
  await read(page, 'bench/cases/two-columns.png');
  await page.getByText(layout, { exact: true }).first().click();
};
const dialog = (open: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await open(page);
  await page.getByRole('dialog').waitFor();
};
const signIn = (page: Page) => page.getByRole('button', { name: 'Premium Sign In' }).first().click();
const onPicture = async (page: Page) => {
  const tab = page.getByRole('tab', { name: 'Picture' });
  if (await tab.isVisible()) await tab.click();
  await page.locator('.picture-viewport').focus();
};

const TOOL: readonly Scene[] = [
  { name: 'tool-empty' },
  { name: 'tool-empty-free', as: FREE },
  { name: 'tool-empty-premium', as: PREMIUM },
  { name: 'tool-chosen', act: (page) => choose(page) },
  {
    name: 'tool-sending',
    act: async (page) => {
      await choose(page);
      await held(page);
      await button(page, 'Extract Text').click();
      await page.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'tool-reading',
    act: async (page) => {
      await read(page);
      await held(page);
      await button(page, 'Extract Text').click();
      await page.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'tool-failed',
    act: async (page) => {
      await choose(page);
      await page.route(`**${extractText.path}`, (route) => route.abort());
      await button(page, 'Extract Text').click();
      await page.getByText('Extraction failed').first().waitFor();
    },
  },
  { name: 'tool-refused', act: (page) => file(page).setInputFiles('package.json') },
  {
    name: 'tool-languages',
    as: PREMIUM,
    act: async (page) => {
      await choose(page);
      await page
        .locator('button[aria-expanded]')
        .filter({ hasText: /English|language/i })
        .first()
        .click();
    },
  },
  { name: 'tool-several', act: several },
  {
    name: 'tool-several-read',
    act: async (page) => {
      await several(page);
      await button(page, 'Extract Text').click();
      await button(page, 'Open page-2.jpg').waitFor({ timeout: TIMEOUT_MS });
      await button(page, 'Open page-1.jpg').click();
      await isRead(page);
    },
  },
  {
    name: 'tool-pdf-pages',
    act: async (page) =>
      opened(
        page,
        'letter.pdf',
        'application/pdf',
        pdfOf([{ width: 595, height: 842, words: 'Paid in full on Tuesday' }, await scanPage()]),
      ),
  },
  {
    name: 'tool-tiff-pages',
    act: async (page) => opened(page, 'fax.tif', 'image/tiff', await twoPageTiff()),
  },
  { name: 'result-arrived', act: (page) => arrive(page), isOverlay: true },
  { name: 'result', act: (page) => read(page) },
  { name: 'result-premium', as: PREMIUM, act: (page) => read(page) },
  { name: 'result-forced-colors', act: (page) => read(page), forced: true },
  {
    name: 'result-word-checked',
    act: async (page) => {
      await read(page);
      await page.keyboard.press('F2');
      await button(page, 'Looks right').waitFor();
    },
    isOverlay: true,
  },
  { name: 'result-lines', act: (page) => read(page, 'bench/cases/two-columns.png') },
  { name: 'result-paragraphs', act: layOut('Paragraphs') },
  { name: 'result-layout', act: layOut('Layout') },
  { name: 'result-table', act: (page) => read(page, 'bench/cases/table.png') },
  {
    name: 'result-formats',
    act: (page) => read(page),
    atWidth: async (page) => {
      // A change of width closes the menu.
      const menu = page.getByRole('menu');
      if (!(await menu.isVisible())) await button(page, /formats/i).click();
      await menu.waitFor();
    },
    isOverlay: true,
  },
  {
    name: 'result-on-picture',
    act: (page) => read(page),
    atWidth: async (page) => {
      await onPicture(page);
      await page.keyboard.press('Enter');
      for (let word = 0; word < 3; word++) await page.keyboard.press('Shift+ArrowRight');
    },
  },
  {
    name: 'result-no-text',
    act: (page) => arrive(page, 'tests/e2e/fixtures/sky.png'),
  },
  {
    name: 'recent-results',
    act: async (page, url) => {
      await read(page, 'bench/cases/till-slip.jpg');
      await openPage(page, url);
      await page.getByRole('region', { name: 'Recent results' }).waitFor();
    },
  },
];

const REST: readonly Scene[] = [
  { name: 'dialog-login', act: dialog(signIn), isOverlay: true },
  {
    name: 'dialog-register',
    act: async (page) => {
      await dialog(signIn)(page);
      await page.getByRole('tab', { name: 'Register' }).click();
    },
    isOverlay: true,
  },
  {
    name: 'dialog-payment',
    path: `${PAGES.home}?payment=required&email=petra%40example.org`,
    act: dialog(async () => {}),
    isOverlay: true,
  },
  { name: 'premium', path: PAGES.premium },
  { name: 'premium-member', path: PAGES.premium, as: PREMIUM },
  { name: 'account', path: PAGES.account, as: PREMIUM },
  {
    name: 'account-unfolded',
    path: PAGES.account,
    as: PREMIUM,
    act: async (page) => {
      for (const name of ['Change password', 'Make a key', 'Renew the secret', 'Turn on'])
        if (await button(page, name).isVisible()) await button(page, name).click();
    },
  },
  { name: 'account-forced-colors', path: PAGES.account, as: PREMIUM, forced: true },
  { name: 'account-free', path: PAGES.account, as: FREE },
  { name: 'account-signed-out', path: PAGES.account },
  {
    name: 'saved-text',
    path: PAGES.account,
    as: PREMIUM,
    act: async (page, url) => {
      const { texts } = await (await page.request.get(`${url}${listTexts.path}`)).json();
      await openPage(page, `${url}${savedTextPage(texts[0].id)}`);
      await page.getByRole('textbox', { name: 'Extracted text' }).waitFor();
    },
  },
  { name: 'languages', path: PAGES.languages },
  { name: 'developers', path: PAGES.developers },
  { name: 'developers-member', path: PAGES.developers, as: PREMIUM },
  { name: 'blog', path: PAGES.blog },
  { name: 'article', path: articlePage('reading-receipts') },
  { name: 'terms', path: PAGES.terms },
  { name: 'privacy', path: PAGES.privacy },
  { name: 'refund', path: PAGES.refund },
  { name: 'not-found', path: '/nowhere' },
  { name: 'article-not-found', path: articlePage('no-such-article') },
  { name: 'reset-password', path: PAGES.resetPassword },
  { name: 'verify-email', path: PAGES.verifyEmail },
  { name: 'claim', path: PAGES.claim },
  { name: 'unsubscribe', path: PAGES.unsubscribe },
  { name: 'demo-sign-in', path: PAGES.demoSignIn },
  {
    name: 'offline',
    isInstalled: true,
    act: async (page, url) => {
      // The service worker registers when the page is idle.
      await page.clock.install();
      await openPage(page, url);
      await page.clock.fastForward(10_000);
      await page.clock.resume();
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await page.context().setOffline(true);
      await page.goto(url);
      await page.getByText('You are offline.').first().waitFor();
    },
  },
  {
    name: 'menu',
    act: async (page) => {
      await page.setViewportSize({ width: 375, height: 667 });
      await page.locator('header button[aria-expanded]').first().click();
    },
    isOverlay: true,
  },
];

const LIMITED: readonly Scene[] = [
  {
    name: 'limit-reached',
    act: async (page) => {
      await read(page);
      await file(page).setInputFiles('bench/cases/till-slip.jpg');
      await button(page, 'Extract Text').click();
      await page.getByRole('dialog').waitFor();
    },
    isOverlay: true,
  },
];

const ANNOUNCED: readonly Scene[] = [
  { name: 'announced-premium', path: PAGES.premium },
  { name: 'announced-dialog', act: dialog(signIn), isOverlay: true },
  {
    name: 'announced-waitlist',
    path: PAGES.premium,
    act: dialog((page) => button(page, 'Get Notified When Available').click()),
    isOverlay: true,
  },
];

const ON_SALE = { PREMIUM_AVAILABILITY: 'available' };
await take(ON_SALE, [...TOOL, ...REST]);
await take({ ...ON_SALE, FREE_DAILY_LIMIT: '1' }, LIMITED);
await take({ PREMIUM_AVAILABILITY: 'coming-soon' }, ANNOUNCED);
writeIndex();

async function take(settings: Readonly<Record<string, string>>, scenes: readonly Scene[]): Promise<void> {
  const wanted = scenes.filter(({ name }) => name.includes(options.only));
  if (wanted.length === 0) return;
  const staged = await stage(settings);
  try {
    if (wanted.some(({ as }) => as)) await plant(staged);
    for (const scene of wanted) await takeScene(staged, scene);
  } finally {
    await staged.stop();
  }
}

/** Creates users with texts and, for premium, with data of API programs. */
async function plant({ browser, url }: Staged): Promise<void> {
  await seedDatabase({ publicUrl: url });
  const context = await browser.newContext();
  const { request } = context;
  const headers = { origin: url };
  const post = async (path: string, data: object) =>
    (await request.post(`${url}${path}`, { data, headers })).json();
  await post(login.path, { username: PREMIUM, password: PASSWORD });
  const currentPassword = PASSWORD;
  const { secret } = await post(makeApiKey.path, {
    name: 'Scanner in the hall',
    scopes: ['read', 'usage'],
    currentPassword,
  });
  await post(makeApiKey.path, {
    name: 'The program that reads what arrives by mail',
    scopes: ['read'],
    currentPassword,
  });
  await post(renewWebhookSecret.path, { currentPassword });
  await request.post(`${url}${createJob.path}`, {
    headers: { authorization: `Bearer ${secret}` },
    multipart: { file: await receipt() },
  });
  await context.close();
}

/** Plays a scene once and captures it at every width. */
async function takeScene({ browser, url }: Staged, scene: Scene): Promise<void> {
  const { name, path = PAGES.home, as, act, atWidth, isOverlay, forced, isInstalled } = scene;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    forcedColors: forced ? 'active' : 'none',
    serviceWorkers: isInstalled ? 'allow' : 'block',
  });
  try {
    if (as) {
      const data = { username: as, password: PASSWORD };
      await context.request.post(`${url}${login.path}`, { data, headers: { origin: url } });
    }
    const page = await context.newPage();
    await openPage(page, `${url}${path}`);
    await act?.(page, url);
    await page.evaluate(EAGER);
    for (const [width, height] of sizes) {
      mkdirSync(join(folder, String(width)), { recursive: true });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(REST_MS);
      await atWidth?.(page);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(REST_MS);
        if (!isOverlay) await page.evaluate('window.scrollTo(0, 0)');
        await page.screenshot({
          path: join(folder, String(width), `${name}-${colorScheme}.jpg`),
          type: 'jpeg',
          quality: 80,
          fullPage: !isOverlay,
          ...(!isOverlay &&
            TOOL.includes(scene) &&
            act && { clip: { x: 0, y: 0, width, height: TOOL_HEIGHT } }),
        });
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (over > 0) console.warn(`${name} is ${over} px wider than ${width}`);
      }
    }
    console.log(name);
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  } finally {
    await context.close();
  }
}

/** Writes a page with all screenshots of the folder by scene. */
function writeIndex(): void {
  const taken = SIZES.map(([width]) => ({ width, files: new Set(listed(join(folder, String(width)))) }));
  const names = [...new Set(taken.flatMap(({ files }) => [...files]))].toSorted();
  const rows = names.map((name) => {
    const pictures = taken
      .filter(({ files }) => files.has(name))
      .map(
        ({ width }) =>
          `<a href="${width}/${name}"><img loading="lazy" src="${width}/${name}" alt="${width} px"></a>`,
      );
    return `<h2>${name.replace(/\.jpg$/, '')}</h2><p>${pictures.join('')}</p>`;
  });
  const style =
    'body{font:16px sans-serif;background:#888}p{display:flex;gap:12px;align-items:start;overflow:auto}img{height:420px}';
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>${style}</style>${rows.join('\n')}\n`,
  );
}

function listed(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => name.endsWith('.jpg'));
  } catch {
    return [];
  }
}

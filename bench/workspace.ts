/**
 * `npm run bench:workspace`: measures the delay from a click or a keystroke to the next paint in a result of 1,300 words on a
 * slow device, and the layout shift when the result arrives, with the built server. `--url` selects another server, such as
 * that of an older build; `--picture` selects another picture.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Locator, type Page } from '@playwright/test';
import { ensureBuilt } from '../scripts/bootstrap.mjs';
import { headlessChromiumPath } from '../scripts/test-programs.mjs';
import { freePort } from '../tests/support/free-port.ts';

const WORDS = 1300;
/** CPU throttling of the page. */
const SLOWDOWN = 4;
const LETTERS = 12;
/** Milliseconds after which all effects of the last action are painted. */
const REST_MS = 1500;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    picture: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
});

/** True once the page is interactive. */
const LISTENS = `(() => {
  const link = document.querySelector('header a');
  return link !== null && Object.keys(link).some((key) => key.startsWith('__reactProps')) && !('earlyCapture' in window);
})()`;

/**
 * Injected into the page before its scripts. Records the time from every event to the next paint, and every layout shift,
 * including those right after user input.
 */
const WATCH = `
  const events = [];
  const shifts = [];
  new PerformanceObserver((list) => events.push(...list.getEntries()))
    .observe({ type: 'event', durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => shifts.push(...list.getEntries()))
    .observe({ type: 'layout-shift', buffered: true });
  window.watched = {
    answeredAt: Infinity,
    slowestSince: (since) =>
      Math.max(0, ...events.filter((event) => event.startTime >= since).map((event) => event.duration)),
    shiftsFrom: (since) =>
      shifts.filter((shift) => shift.startTime >= since).reduce((sum, shift) => sum + shift.value, 0),
  };
  // Pictures are uploaded with XMLHttpRequest, which reports the upload progress.
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...sent) {
    this.addEventListener('load', () => {
      if (this.responseURL.includes('/api/extract-text')) watched.answeredAt = performance.now();
    });
    return send.apply(this, sent);
  };
`;

interface Cost {
  /** Milliseconds from the slowest event of the action to the next paint. */
  until: number;
  /** Total milliseconds of the page's main thread, on which other load of the machine has little effect. */
  work: number;
}

interface Figures {
  press: Cost;
  /** Work per letter. */
  typing: Cost;
  paragraphs: Cost;
  lines: Cost;
  step: Cost;
  shift: number;
}

const browser = await chromium.launch({
  executablePath: headlessChromiumPath(),
  args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const server = options.url ? null : await startServer();
try {
  const picture = options.picture ? readFileSync(options.picture) : await drawPage(browser);
  const rounds: Figures[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.push(await measure(options.url ?? server?.url ?? '', picture));
    console.log(lineOf(rounds.at(-1)!));
  }
  const { shift, ...times } = rounds[0]!;
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  for (const name of Object.keys(times) as Array<keyof typeof times>) {
    const until = middle(rounds.map((round) => round[name].until));
    const work = middle(rounds.map((round) => round[name].work));
    console.log(`${name.padEnd(12)}${Math.round(until)} ms, of which the page worked ${Math.round(work)}`);
  }
  console.log(`shift       ${middle(rounds.map((round) => round.shift)).toFixed(3)}`);
} finally {
  await browser.close();
  server?.stop();
}

function lineOf({ shift, ...times }: Figures): string {
  const parts = Object.entries(times).map(
    ([name, { until, work }]) => `${name} ${Math.round(until)} (${Math.round(work)})`,
  );
  return [...parts, `shift ${shift.toFixed(3)}`].join('  ');
}

/** An image of text in two columns, slightly blurred, so that some words are doubtful. */
async function drawPage(browser: Browser): Promise<Buffer> {
  const folder = join(import.meta.dirname, '../content/blog');
  const words = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('---')[2]?.split(/\s+/) ?? [])
    .filter((word) => /^[A-Za-z][a-z]*[.,]?$/.test(word))
    .slice(0, WORDS);
  const page = await browser.newPage({ viewport: { width: 1500, height: 1900 } });
  await page.setContent(
    `<body style="margin:60px;columns:2;column-gap:60px;font:21px/1.5 serif;filter:blur(.9px)">${words.join(' ')}</body>`,
  );
  const picture = await page.screenshot({ type: 'png' });
  await page.close();
  return picture;
}

async function measure(url: string, picture: Buffer): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  try {
    await page.addInitScript(WATCH);
    await page.goto(url);
    while (!(await page.evaluate<boolean>(LISTENS))) await page.waitForTimeout(100);
    const devtools = await context.newCDPSession(page);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: picture });
    await page.getByRole('img', { name: /Preview of/ }).waitFor();
    await page.waitForTimeout(REST_MS);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });

    const press = await measureAction(
      page,
      devtools,
      await prepareClick(page, page.getByRole('button', { name: 'Extract Text' })),
      0,
    );
    await page.getByRole('textbox', { name: 'Extracted text' }).waitFor({ timeout: 120_000 });
    await page.waitForTimeout(2 * REST_MS);
    const shift = await page.evaluate<number>('watched.shiftsFrom(watched.answeredAt)');

    const text = page.getByRole('textbox', { name: 'Extracted text' });
    await text.click({ position: { x: 200, y: 400 } });
    const typing = await measureAction(page, devtools, async () => {
      for (let letter = 0; letter < LETTERS; letter++) {
        await page.keyboard.press('e');
        await page.waitForTimeout(250);
      }
    });
    typing.work /= LETTERS;
    const layout = page.getByRole('group', { name: 'Text as' });
    const paragraphs = await measureAction(
      page,
      devtools,
      await prepareClick(page, layout.getByText('Paragraphs')),
    );
    const lines = await measureAction(page, devtools, await prepareClick(page, layout.getByText('Lines')));
    const step = await measureAction(page, devtools, () => page.keyboard.press('F2'));
    return { press, typing, paragraphs, lines, step, shift };
  } finally {
    await context.close();
  }
}

/** Moves the mouse and returns a function that clicks, because `click` would hit-test the page during the measurement. */
async function prepareClick(page: Page, target: Locator): Promise<() => Promise<void>> {
  const box = await target.boundingBox();
  if (!box) throw new Error('Nothing to press is seen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(REST_MS / 3);
  return async () => {
    await page.mouse.down();
    await page.mouse.up();
  };
}

async function measureAction(
  page: Page,
  devtools: CDPSession,
  cause: () => Promise<void>,
  rest = REST_MS,
): Promise<Cost> {
  const mainThreadTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const from = await page.evaluate<number>('performance.now()');
  const before = await mainThreadTime();
  await cause();
  await page.waitForTimeout(rest + REST_MS / 3);
  const work = (await mainThreadTime()) - before;
  return { until: await page.evaluate<number>(`watched.slowestSince(${from})`), work };
}

async function startServer() {
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'glyphlift-workspace-'));
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/node/server/main.js'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      FREE_DAILY_LIMIT: '1000',
      RATE_LIMIT_PER_MINUTE: '10000',
    },
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}`;
  for (let attempt = 0; ; attempt++) {
    const answers = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) break;
    if (attempt === 600) throw new Error(`${url} did not answer within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    stop() {
      child.kill('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

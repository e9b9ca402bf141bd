import { readFile } from 'node:fs/promises';
import type {} from '@vitest/browser-playwright';
import type { BrowserCommand, BrowserCommandContext } from 'vitest/node';
import type { BrowserActions, Download, Media, Point } from './browser-actions.ts';

/* Actions that a component test runs outside its page: real mouse movements, touches, media, downloads and the clipboard. */

/** The position of the test's frame in the browser window, in CSS pixels. */
async function frameOffset(context: BrowserCommandContext): Promise<Point> {
  const frame = await context.page.locator('iframe[data-vitest]').boundingBox();
  return { x: frame?.x ?? 0, y: frame?.y ?? 0 };
}

/** Presses the left button at the first point, moves over the others and lets go at the last. Points are in the frame's CSS pixels. */
const drag: BrowserCommand<[points: Point[], options?: { steps?: number }]> = async (
  context,
  points,
  { steps = 4 } = {},
) => {
  const { mouse } = context.page;
  const offset = await frameOffset(context);
  const [first, ...others] = points;
  if (!first) return;
  await mouse.move(first.x + offset.x, first.y + offset.y);
  await mouse.down();
  for (const { x, y } of others) await mouse.move(x + offset.x, y + offset.y, { steps });
  await mouse.up();
};

/** One mouse action at a point of the frame. */
const mouse: BrowserCommand<
  [action: 'move' | 'down' | 'up' | 'click', point: Point, options?: { clickCount?: number; delay?: number }]
> = async (context, action, { x, y }, options = {}) => {
  const offset = await frameOffset(context);
  const at = { x: x + offset.x, y: y + offset.y };
  if (action === 'click') await context.page.mouse.click(at.x, at.y, options);
  else {
    await context.page.mouse.move(at.x, at.y);
    if (action !== 'move') await context.page.mouse[action]();
  }
};

/** Turns the wheel at a point of the frame. */
const wheel: BrowserCommand<[point: Point, delta: Point]> = async (context, { x, y }, delta) => {
  const offset = await frameOffset(context);
  await context.page.mouse.move(x + offset.x, y + offset.y);
  await context.page.mouse.wheel(delta.x, delta.y);
};

/** A finger that moves along a path, in the frame's CSS pixels; `rest`: milliseconds that it waits before it moves. */
const touch: BrowserCommand<[path: Point[], options?: { rest?: number }]> = async (
  context,
  path,
  { rest = 0 } = {},
) => {
  const offset = await frameOffset(context);
  const session = await context.context.newCDPSession(context.page);
  const at = ({ x, y }: Point) => ({ x: x + offset.x, y: y + offset.y });
  const [first, ...others] = path;
  if (!first) return;
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(first)] });
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  let last = first;
  for (const point of others) {
    for (let step = 1; step <= 4; step += 1) {
      const between = {
        x: last.x + ((point.x - last.x) * step) / 4,
        y: last.y + ((point.y - last.y) * step) / 4,
      };
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(between)] });
    }
    last = point;
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
};

/** One session per page for all single events, because each session has a separate touch state. */
const touchEventSessions: typeof touchEmulations = new WeakMap();

/** One event of one or more fingers, in the frame's CSS pixels. */
const touchEvent: BrowserCommand<
  [type: 'touchStart' | 'touchMove' | 'touchEnd', points: (Point & { id?: number })[]]
> = async (context, type, points) => {
  const offset = await frameOffset(context);
  const { page } = context;
  const opened = touchEventSessions.get(page) ?? context.context.newCDPSession(page);
  touchEventSessions.set(page, opened);
  await (await opened).send('Input.dispatchTouchEvent', {
    type,
    touchPoints: points.map(({ x, y, ...id }) => ({ x: x + offset.x, y: y + offset.y, ...id })),
  });
};

/** Two quick taps. Sent together and with explicit timestamps: on a busy machine separate taps would be long presses. */
const doubleTap: BrowserCommand<[point: Point]> = async (context, { x, y }) => {
  const offset = await frameOffset(context);
  const session = await context.context.newCDPSession(context.page);
  const now = Date.now() / 1000;
  await Promise.all(
    ([0, 0.03, 0.12, 0.15] as const).map((time, at) =>
      session.send('Input.dispatchTouchEvent', {
        type: at % 2 === 0 ? 'touchStart' : 'touchEnd',
        touchPoints: at % 2 === 0 ? [{ x: x + offset.x, y: y + offset.y }] : [],
        timestamp: now + time,
      }),
    ),
  );
  await session.detach();
};

/** Sets the color scheme, forced colors, reduced motion or print for the page. The setup resets it after the test. */
const emulateMedia: BrowserCommand<[media: Media]> = async ({ page }, media) => {
  await page.emulateMedia(media);
};

/** Touch emulation ends with its session, so the session stays open. */
const touchEmulations = new WeakMap<
  BrowserCommandContext['page'],
  ReturnType<BrowserCommandContext['context']['newCDPSession']>
>();

/** Turns the emulation of a touch screen on or off. */
const emulateTouch: BrowserCommand<[enabled: boolean]> = async ({ page, context }, enabled) => {
  if (!enabled && !touchEmulations.has(page)) return;
  const opened = touchEmulations.get(page) ?? context.newCDPSession(page);
  touchEmulations.set(page, opened);
  const session = await opened;
  await session.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: enabled ? 5 : 1 });
};

/** The next download of the page. Call it before the click and await it after the click. */
const nextDownload: BrowserCommand<[]> = async ({ page }) => {
  const download = await page.waitForEvent('download');
  const bytes = await readFile(await download.path());
  return { name: download.suggestedFilename(), base64: bytes.toString('base64') } satisfies Download;
};

/** The session that has locked the browser's clipboard, followed by the waiting sessions in their order. */
const clipboardHolders: { sessionId: string; begin: () => void }[] = [];

/** Waits until no test of another page uses the clipboard. */
const holdClipboard: BrowserCommand<[]> = ({ sessionId }) =>
  new Promise<void>((begin) => {
    clipboardHolders.push({ sessionId, begin });
    if (clipboardHolders.length === 1) begin();
  });

function releaseClipboard(sessionId: string): void {
  const at = clipboardHolders.findIndex((holder) => holder.sessionId === sessionId);
  if (at >= 0) clipboardHolders.splice(at, 1);
  if (at === 0) clipboardHolders[0]?.begin();
}

/** Resets everything that a test has changed outside its page. */
const resetBrowser: BrowserCommand<[]> = async (context) => {
  releaseClipboard(context.sessionId);
  await emulateTouch(context, false);
  await emulateMedia(context, {
    colorScheme: 'light',
    forcedColors: 'none',
    media: 'screen',
    reducedMotion: 'reduce',
  });
};

export const browserCommands = {
  drag,
  mouse,
  wheel,
  touch,
  touchEvent,
  doubleTap,
  emulateMedia,
  emulateTouch,
  nextDownload,
  holdClipboard,
  resetBrowser,
} satisfies Record<keyof BrowserActions, BrowserCommand<never>>;

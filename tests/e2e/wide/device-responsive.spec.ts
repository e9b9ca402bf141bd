import type { Browser, Page } from '@playwright/test';
import { densePhotograph } from '../../support/pictures.ts';
import { deviceSwitch, expectEngine, expectReadOnDevice } from '../device-reading.ts';
import { NOTE, openTool, type Tool } from '../extraction-page.ts';
import { expect, test } from '../test.ts';

/** Limit above which users notice the delay of a click or key. Milliseconds. */
const LONG_TASK = 50;
/** Timeout for downloading the engine and reading a dense page, on a busy machine. */
const TIMEOUT_MS = 600_000;

test('read on this device: no task of the page takes 50 ms of processor time, from the click to the result', async ({
  page,
  browser,
}) => {
  test.setTimeout(2 * TIMEOUT_MS);
  const tool = await openTool(page);
  await tool.choose(NOTE);
  const device = deviceSwitch(page);
  await device.click();
  await expectEngine(page, TIMEOUT_MS);
  // A first run compiles scripts and resolves styles, as for any other extraction.
  await readHere(page, tool);

  await tool.choose(NOTE);
  expect(await longTasks(browser, page, () => readHere(page, tool)), 'a small picture').toEqual([]);
  const bytes = Buffer.from(await densePhotograph());
  await tool.choose({ name: 'page.jpg', type: 'image/jpeg', bytes });
  expect(await longTasks(browser, page, () => readHere(page, tool)), 'a dense photograph').toEqual([]);
});

async function readHere(page: Page, tool: Tool): Promise<void> {
  await tool.extract.click();
  await expect(tool.text).toBeHidden();
  await expectReadOnDevice(page, TIMEOUT_MS);
  await expect(tool.text).toBeVisible();
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Processor time of the thread in microseconds, which other load of the machine does not affect. */
  tdur?: number;
  args?: { name?: string; data?: { url?: string; functionName?: string } };
}

/** Long tasks of the page's main thread during `act`, with their events. */
async function longTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<string[]> {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'v8', 'blink.user_timing', '__metadata'],
  });
  await act();
  const trace = await browser.stopTracing();
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const onMain = events.filter(({ pid, tid, ph }) => ph === 'X' && threads.has(`${pid}/${tid}`));
  const tasks = onMain.filter(({ name }) => name.endsWith('RunTask'));
  expect(tasks.some(({ tdur = 0 }) => tdur > 0)).toBe(true);
  const most = Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  test.info().annotations.push({ type: 'longest task', description: `${most.toFixed(1)} ms` });
  return tasks
    .filter(({ tdur = 0 }) => tdur > LONG_TASK * 1000)
    .map((task) => {
      const within = onMain
        .filter(({ ts, tdur = 0 }) => ts > task.ts && ts < task.ts + (task.dur ?? 0) && tdur > 5000)
        .map(
          ({ name, tdur = 0, args }) =>
            `${name} ${(tdur / 1000).toFixed(0)} ms ${args?.data?.functionName ?? ''}`,
        );
      return `${((task.tdur ?? 0) / 1000).toFixed(0)} ms: ${within.join(', ')}`;
    });
}

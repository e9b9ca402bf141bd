import { strFromU8, unzipSync } from 'fflate';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { expectAccessible } from '../../../../../tests/component/accessible.ts';
import { pausedToast, toast } from '../../../../../tests/component/application.tsx';
import { blogHandlers } from '../../../../../tests/component/articles.ts';
import {
  copyOfNote,
  downloadBy,
  dropFiles,
  gate,
  openTool,
  pasteFiles,
  pictureFile,
  readingOf,
  reloadTool,
  waitUntilStill,
} from '../../../../../tests/component/extraction.ts';
import {
  expectNames,
  expectStates,
  names,
  pictures,
  READ,
  row,
  rows,
} from '../../../../../tests/component/file-list.ts';
import {
  answers,
  enforcesQuota,
  requests,
  respondsWithError,
  worker,
} from '../../../../../tests/component/server.ts';
import { overflow } from '../../../../../tests/component/workspace.ts';

const READ_CALL = 'POST /api/extract-text';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const handle = (number: number) => page.getByRole('button', { name: `Move page-${number}.png,` });
const boxOf = (number: number) => handle(number).element().getBoundingClientRect();
const notes = () => new File(['only words'], 'notes.txt', { type: 'text/plain' });

const expectRead = (name: string) => expect.element(row(name)).toHaveTextContent(READ);
const expectRows = (count: number) => expect.poll(() => rows().elements().length).toBe(count);
const NOT_A_PICTURE = expect.stringContaining('This is a text file');

/** Whether no ancestor clips the focus ring of an element. */
function isFocusRingVisible(element: Element): boolean {
  const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(element);
  expect(outlineStyle).toBe('solid');
  const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === 'visible') continue;
    const clip = around.getBoundingClientRect();
    if (left - reach < clip.left || right + reach > clip.right) return false;
    if (top - reach < clip.top || bottom + reach > clip.bottom) return false;
  }
  return true;
}

/** Answers extractions. The second response waits for the returned gate. */
function delaySecondResult({ state }: Awaited<ReturnType<typeof openTool>>) {
  const response = gate();
  let sent = 0;
  worker.use(
    answers(extractText, async () => {
      sent += 1;
      if (sent === 2) await response.opened;
      return state.extraction;
    }),
  );
  return response;
}

describe('list of pictures', () => {
  test('list: is not shown for a single picture, dropped or chosen', async () => {
    const tool = await openTool();
    dropFiles(page.getByText('Drop a picture here').element(), await pictures(1));
    await expect.element(page.getByRole('img', { name: 'Preview of page-1.png' })).toBeVisible();
    expect(rows().elements()).toEqual([]);
    await tool.choose(await copyOfNote(2));
    await expect.element(page.getByRole('img', { name: 'Preview of note.png' })).toBeVisible();
    expect(rows().elements()).toEqual([]);
  });

  test.each([375, 1440])('list: at %d px no focus ring of its buttons is cut off', async (width) => {
    await page.viewport(width, 900);
    const tool = await openTool();
    await tool.choose(await pictures(2));
    await expectRows(2);
    const cut: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>('ul[aria-label="Files"] button:enabled')) {
      // Shows the focus ring as after a key press.
      control.focus({ focusVisible: true } as FocusOptions);
      if (!isFocusRingVisible(control)) cut.push(control.ariaLabel ?? control.textContent);
    }
    expect(cut).toEqual([]);
  });

  test('list: pictures that are pasted later are added, and a file that is not a picture shows what it is', async () => {
    const tool = await openTool();
    const [one, two, three] = await pictures(3);
    await tool.choose([one!, notes(), new File([two!], 'scan', { type: 'application/x-scan' })]);
    await expectRows(3);
    await expect.element(row('notes.txt')).toHaveTextContent(/Invalid file type\. This is a text file\./);
    await expect.element(row('scan')).toHaveTextContent(/this is a PNG picture/);
    await row('scan').getByRole('button', { name: 'Take it as a picture' }).click();
    await expect.element(row('scan')).toHaveTextContent(/Waiting/);
    pasteFiles([three!]);
    await expectRows(4);
    await tool.extract.click();
    await expectStates(['read', NOT_A_PICTURE, 'read', 'read']);
  });

  test('list: is announced for several files, and "Only the first" chooses the first file as a single picture', async () => {
    const tool = await openTool();
    await tool.choose(await pictures(2));
    await expectRows(2);
    await expect.element(page.getByText('Several files make a list.')).toBeVisible();
    await page.getByRole('button', { name: 'Only the first' }).click();
    await expect.element(page.getByRole('img', { name: 'Preview of page-1.png' })).toBeVisible();
    expect(rows().elements()).toEqual([]);
    await tool.read();
    await expect.element(toast()).toHaveTextContent(/Success!Extracted \d+ words with \d+% confidence$/);

    await page.getByRole('button', { name: 'Upload Another Image' }).click();
    await tool.choose([notes(), ...(await pictures(1))]);
    await page.getByRole('button', { name: 'Only the first' }).click();
    await expect.element(toast()).toHaveTextContent(/Invalid file type/);
    expect(rows().elements()).toEqual([]);
  });

  test('list: a toast reports the end of the list, and another one a failure', async () => {
    const tool = await openTool();
    await tool.choose(await pictures(2));
    await tool.extract.click();
    await expect
      .element(toast())
      .toHaveTextContent(/Success!Extracted \d+ words with \d+% confidence from 2 pictures/);
    await expect.element(page.getByRole('button', { name: 'Only the first' })).not.toBeInTheDocument();

    worker.use(respondsWithError(extractText, 422, { error: 'This picture is damaged.' }));
    await tool.choose(await pictures(1, 3));
    await tool.extract.click();
    await expect
      .element(toast())
      .toHaveTextContent('Extraction failed1 of 3 files: This picture is damaged.');
  });

  test('list: a picture without text says so in its row', async () => {
    const tool = await openTool();
    worker.use(
      answers(extractText, async (request) => {
        const { name } = (await request.formData()).get('file') as File;
        return readingOf(name === 'sky.png' ? 'sky' : 'note');
      }),
    );
    await tool.choose([...(await pictures(1)), await pictureFile('sky')]);
    await tool.extract.click();
    await expect.element(row('sky.png')).toHaveTextContent(/No text was found in this picture\./);
    await expectRead('page-1.png');
  });

  async function openAt(width: number, colorScheme: 'light' | 'dark') {
    await page.viewport(width, 900);
    await commands.emulateMedia({ colorScheme });
    const tool = await openTool();
    await tool.choose([...(await pictures(2)), notes()]);
    await expect.element(row('notes.txt')).toHaveTextContent(/This is a text file/);
    return tool;
  }

  test.each([
    { width: 1440, colorScheme: 'dark' },
    { width: 375, colorScheme: 'light' },
  ] as const)(
    'list: waiting rows and their buttons fit and are accessible at $width px in the $colorScheme scheme',
    async ({ width, colorScheme }) => {
      await openAt(width, colorScheme);
      await handle(1).click();
      await expect.element(button('Move page-1.png down')).toBeVisible();
      expect(overflow()).toBe(0);
      await expectAccessible();
    },
  );

  test.each([
    { width: 1440, colorScheme: 'light' },
    { width: 768, colorScheme: 'dark' },
    { width: 375, colorScheme: 'dark' },
  ] as const)(
    'list: an open text and all texts together fit and are accessible at $width px in the $colorScheme scheme',
    async ({ width, colorScheme }) => {
      const tool = await openAt(width, colorScheme);
      await tool.extract.click();
      await expectStates(['read', 'read', NOT_A_PICTURE]);
      await button('Open page-1.png').click();
      await expect.element(tool.text).toHaveValue(tool.state.extraction.extractedText);
      expect(overflow()).toBe(0);
      await expectAccessible();
      await button('Copy or download all').click();
      await expect.element(page.getByRole('textbox', { name: 'All texts together' })).toBeVisible();
      expect(overflow()).toBe(0);
      await expectAccessible();
    },
  );
});

describe('reading the list', () => {
  test('list: each picture can be stopped, read again and removed separately, and Undo restores it in its place', async () => {
    const tool = await openTool();
    const response = gate();
    worker.use(
      answers(extractText, async () => {
        await response.opened;
        return tool.state.extraction;
      }),
    );
    await tool.choose(await pictures(3));
    await tool.extract.click();
    await button('Stop page-1.png').click();
    await expect.element(row('page-1.png')).toHaveTextContent(/Stopped/);
    await expect.element(button('Try page-1.png again')).toHaveFocus();
    await button('Remove page-2.png').click();
    await expectRows(2);
    await expect.element(button('Move page-3.png, 2 of 2')).toHaveFocus();
    await (await pausedToast()).getByRole('button', { name: 'Undo' }).click();
    await expectNames(['page-1.png', 'page-2.png', 'page-3.png']);
    response.open();
    await expectRead('page-3.png');
    await button('Try page-1.png again').click();
    await expectRead('page-1.png');
    expect(names()).toEqual(['page-1.png', 'page-2.png', 'page-3.png']);
  });

  test('list: "Stop all" stops reading, and "Continue" reads the waiting pictures', async () => {
    const tool = await openTool();
    const response = delaySecondResult(tool);
    await tool.choose(await pictures(3));
    await tool.extract.click();
    await expectRead('page-1.png');
    await button('Stop all').click();
    await expect.element(button('Continue')).toHaveFocus();
    await expect.element(tool.extract).toBeEnabled();
    await expectStates(['read', 'Waiting', 'Waiting']);
    response.open();
    await button('Continue').click();
    await expectStates(['read', 'read', 'read']);
  });

  test('list: stops when the connection is lost, and a retry sends the picture with the same key', async () => {
    const tool = await openTool();
    let isLost = true;
    worker.use(http.post(extractText.path, () => (isLost ? HttpResponse.error() : undefined)));
    await tool.choose(await pictures(2));
    await tool.extract.click();
    await expect
      .element(row('page-1.png'))
      .toHaveTextContent(/The connection was lost before an answer came\./);
    await expect.element(row('page-2.png')).toHaveTextContent(/Waiting/);
    isLost = false;
    await button('Try page-1.png again').click();
    await expectRead('page-1.png');
    const keys = requests
      .filter(({ call }) => call === READ_CALL)
      .map(({ request }) => request.headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
    await tool.extract.click();
    await expectRead('page-2.png');
  });

  test('list: Back from another page restores it, with running items stopped', async () => {
    worker.use(...blogHandlers());
    const tool = await openTool();
    const response = delaySecondResult(tool);
    await tool.choose(await pictures(3));
    await tool.extract.click();
    await expectRead('page-1.png');
    await expect.element(button('Stop page-2.png')).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
    await expect.poll(() => location.pathname).toBe('/blog');
    response.open();
    history.back();
    await expectStates(['read', 'Waiting', 'Waiting']);
    expect(page.getByText('of your last list').query()).toBeNull();
    await tool.extract.click();
    await expectStates(['read', 'read', 'read']);
  });

  test('list: Undo restores the last removed file and the list', async () => {
    const tool = await openTool();
    await tool.choose(await pictures(2));
    await button('Remove page-1.png').click();
    await expectNames(['page-2.png']);
    await button('Remove page-2.png').click();
    await expect.element(page.getByText('Drop a picture here')).toBeVisible();
    await toast().filter({ hasText: 'page-2.png' }).getByRole('button', { name: 'Undo' }).click();
    await expectNames(['page-2.png']);
  });

  test('list: shows the remaining extractions before the limit is reached, and keeps the waiting pictures over a reload', async () => {
    const tool = await openTool();
    tool.state.usage.imageCount = 1;
    await reloadTool(tool);
    worker.use(enforcesQuota(tool.state));
    await (await reloadTool(tool)).choose(await pictures(3));
    await expect
      .element(page.getByRole('status').filter({ hasText: '2 of these 3 can be read today' }))
      .toHaveTextContent(/The other stays here/);
    await tool.extract.click();
    await expectStates(['read', 'read', 'Waiting']);
    const none = page.getByRole('status').filter({ hasText: 'None of these can be read today' });
    await expect.element(none).toHaveTextContent(/Daily limit reached\. Upgrade to Premium/);
    await expect.element(none.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();
    expect(page.getByText('Daily limit reached.').elements()).toHaveLength(1);
    expect(page.getByRole('dialog').query()).toBeNull();
    await reloadTool(tool);
    await expect.element(page.getByText('1 picture of your last list waits to be read')).toBeVisible();
    await button('Remove').click();
    await expect.element(page.getByText('of your last list')).not.toBeInTheDocument();
    await reloadTool(tool);
    await expect.element(tool.extract).toBeInTheDocument();
    await expect
      .poll(async () => (await indexedDB.databases()).map(({ name }) => name))
      .toContain('recent-results');
    expect(page.getByText('of your last list').query()).toBeNull();
  });
});

describe('order of the list', () => {
  test('order: keys, the mouse and buttons move a row, and the focus stays on the row', async () => {
    const tool = await openTool();
    await tool.choose(await pictures(3));
    await expectRows(3);
    (handle(1).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expectNames(['page-2.png', 'page-1.png', 'page-3.png']);
    await expect.element(handle(1)).toHaveFocus();
    await expect.element(page.getByText('page-1.png is now 2 of 3')).toBeInTheDocument();
    await userEvent.keyboard('{End}');
    await expectNames(['page-2.png', 'page-3.png', 'page-1.png']);
    await expect.element(handle(1)).toHaveFocus();
    await userEvent.keyboard('{Home}');
    await expectNames(['page-1.png', 'page-2.png', 'page-3.png']);
    await expect.element(handle(1)).toHaveFocus();

    await waitUntilStill(() => handle(3).query());
    const [from, to] = [boxOf(3), boxOf(1)];
    const start = { x: from.x + 8, y: from.y + 20 };
    await commands.drag([start, { x: start.x, y: start.y - 40 }, { x: to.x + 8, y: to.y + 2 }], { steps: 8 });
    await expectNames(['page-3.png', 'page-1.png', 'page-2.png']);

    await handle(2).click();
    await button('Move page-2.png up').click();
    await expectNames(['page-3.png', 'page-2.png', 'page-1.png']);
    await expect.element(button('Move page-2.png up')).toHaveFocus();
    expect(button('Move page-1.png down').query()).toBeNull();
  });

  test('order: a finger on the handle moves a row without scrolling the page', async () => {
    await commands.emulateTouch(true);
    const tool = await openTool();
    await tool.choose(await pictures(3));
    await expectRows(3);
    handle(3).element().scrollIntoView({ block: 'nearest' });
    await waitUntilStill(() => handle(3).query());
    const scrolled = window.scrollY;
    const [from, to] = [boxOf(3), boxOf(1)];
    const x = from.x + 8;
    const [begin, end] = [from.y + 20, to.y + 2];
    await commands.touchEvent('touchStart', [{ x, y: begin }]);
    for (let step = 1; step <= 12; step += 1)
      await commands.touchEvent('touchMove', [{ x, y: begin + ((end - begin) * step) / 12 }]);
    await expectNames(['page-3.png', 'page-1.png', 'page-2.png']);
    await commands.touchEvent('touchEnd', []);
    expect(names()).toEqual(['page-3.png', 'page-1.png', 'page-2.png']);
    expect(window.scrollY).toBe(scrolled);
  });
});

test('combined text: the texts are saved as one file in the order of the list, or as one file per picture', async () => {
  const tool = await openTool();
  const third = new File([await copyOfNote(3)], 'page-1.jpg', { type: 'image/png' });
  await tool.choose([...(await pictures(2)), third]);
  await expectRows(3);
  (page.getByRole('button', { name: 'Move page-1.jpg,' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  await expectNames(['page-1.jpg', 'page-1.png', 'page-2.png']);
  await tool.extract.click();
  await expectStates(['read', 'read', 'read']);
  await button('Copy or download all').click();
  await expect.element(page.getByRole('heading', { name: 'All texts together' })).toHaveFocus();
  const save = (format: RegExp) =>
    downloadBy(async () => {
      await button('More formats').click();
      await page.getByRole('menuitem', { name: format }).click();
    });
  const plain = await downloadBy(() => button('Download').click());
  expect(plain.name).toMatch(/^extracted-text-.*\.txt$/);
  expect([...plain.text.matchAll(/^==> (.*) <==$/gm)].map(([, name]) => name)).toEqual([
    'page-1.jpg',
    'page-1.png',
    'page-2.png',
  ]);
  const hocr = await save(/hOCR/);
  expect(hocr.text.match(/class=.ocr_page/g)).toHaveLength(3);
  const zip = unzipSync((await save(/ZIP/)).bytes);
  expect(Object.keys(zip)).toEqual(['page-1.txt', 'page-1 (2).txt', 'page-2.txt']);
  expect(strFromU8(zip['page-2.txt']!)).toMatch(/^Harbour Lane/);
});

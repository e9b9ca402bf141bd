import { type Area, findPicture, selectArea } from './page-scripts.ts';
import { readSettings } from './settings.ts';
import type { Picture, Task, TaskRequest } from './task.ts';

const MENU_ITEM = 'read-image';
const PANEL = { width: 460, height: 680 };

/** Tasks by id, until their windows request them. */
const tasks = new Map<string, Task>();

chrome.runtime.onInstalled.addListener(({ reason }) => {
  chrome.contextMenus.create({ id: MENU_ITEM, title: 'Copy the text of this picture', contexts: ['image'] });
  if (reason === 'install') void chrome.runtime.openOptionsPage();
});

chrome.contextMenus.onClicked.addListener((info, tab) => {
  const { menuItemId, srcUrl, frameId = 0 } = info;
  if (menuItemId !== MENU_ITEM || srcUrl === undefined || !tab) return;
  void openResult(() => imageOf(tab, srcUrl, frameId));
});

chrome.action.onClicked.addListener((tab) => void openResult(() => selectedPartOf(tab)));

chrome.runtime.onMessage.addListener((request: TaskRequest, sender, answer) => {
  if (sender.id !== chrome.runtime.id || request.type !== 'task') return;
  answer(
    tasks.get(request.id) ?? { problem: 'The picture is no longer available. Read it again on its page.' },
  );
  tasks.delete(request.id);
});

/** Takes a picture and opens the result window for it. @param takePicture resolves to null if the user cancels */
async function openResult(takePicture: () => Promise<Picture | null>): Promise<void> {
  if (!(await readSettings())) {
    await chrome.runtime.openOptionsPage();
    return;
  }
  await chrome.action.setBadgeText({ text: '…' });
  try {
    const picture = await takePicture();
    if (picture) await openPanel({ picture });
  } catch (error) {
    const problem = error instanceof UserError ? error.message : 'Extensions cannot read this page.';
    await openPanel({ problem });
  } finally {
    await chrome.action.setBadgeText({ text: '' });
  }
}

/** An error whose message is shown to the user. */
class UserError extends Error {}

async function imageOf(tab: chrome.tabs.Tab, url: string, frameId: number): Promise<Picture> {
  const hidden = new UserError(
    'This picture is in a part of the page that extensions cannot read. Press the Glyphlift button and draw a frame around it.',
  );
  const [run] = await chrome.scripting
    .executeScript({ target: { tabId: idOf(tab), frameIds: [frameId] }, func: findPicture, args: [url] })
    .catch((error: unknown) => {
      throw frameId === 0 ? error : hidden;
    });
  const found = run?.result;
  if (found && 'dataUrl' in found) return { dataUrl: found.dataUrl, source: 'file', isPart: false };
  // Coordinates in an inner frame are not coordinates of the tab.
  if (!found || frameId !== 0) throw hidden;
  return { dataUrl: await screenshot(tab, found.area), source: 'screen', isPart: found.isPart };
}

async function selectedPartOf(tab: chrome.tabs.Tab): Promise<Picture | null> {
  const [run] = await chrome.scripting.executeScript({ target: { tabId: idOf(tab) }, func: selectArea });
  if (!run?.result) return null;
  return { dataUrl: await screenshot(tab, run.result), source: 'screen', isPart: false };
}

/** A PNG screenshot of an area of the tab, in device pixels, as a data URL. */
async function screenshot(tab: chrome.tabs.Tab, { x, y, width, height, viewWidth }: Area): Promise<string> {
  const url = await chrome.tabs.captureVisibleTab(tab.windowId, { format: 'png' });
  const viewport = await createImageBitmap(await (await fetch(url)).blob());
  const scale = viewport.width / viewWidth;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser has no canvas');
  context.drawImage(viewport, -Math.round(x * scale), -Math.round(y * scale));
  viewport.close();
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  let binary = '';
  // In chunks: a call has a limited number of arguments.
  for (let from = 0; from < bytes.length; from += 32_768)
    binary += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return `data:image/png;base64,${btoa(binary)}`;
}

function idOf({ id }: chrome.tabs.Tab): number {
  if (id === undefined) throw new Error('the tab has no page');
  return id;
}

async function openPanel(task: Task): Promise<void> {
  const id = crypto.randomUUID();
  tasks.set(id, task);
  const url = chrome.runtime.getURL(`panel.html#${id}`);
  // Firefox for Android has no windows, only tabs.
  if (chrome.windows) await chrome.windows.create({ url, type: 'popup', ...PANEL });
  else await chrome.tabs.create({ url });
}

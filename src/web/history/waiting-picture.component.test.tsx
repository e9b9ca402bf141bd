import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { blogHandlers } from '../../../tests/component/articles.ts';
import { gate, openTool, pictureFile, reloadTool, toolOf } from '../../../tests/component/extraction.ts';
import { member, openAs, signInButton } from '../../../tests/component/people.ts';
import { answers, worker } from '../../../tests/component/server.ts';

/* A single picture that was chosen and is not read yet. */

const button = (name: string | RegExp) => page.getByRole('button', { name });
const recent = () => page.getByRole('region', { name: 'Recent results' });

const promisify = <T,>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const openDatabase = () => promisify(indexedDB.open('recent-results'));

/** The file names of the stored waiting pictures of all owners. */
async function waitingNames(): Promise<string[]> {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'recent-results')) return [];
  const db = await openDatabase();
  try {
    if (!db.objectStoreNames.contains('waiting')) return [];
    const found = await promisify<{ file: File }[]>(
      db.transaction('waiting').objectStore('waiting').getAll(),
    );
    return found.map(({ file }) => file.name);
  } finally {
    db.close();
  }
}

test('chosen picture: is offered after a reload until it is read', async () => {
  let tool = await openTool();
  await tool.choose(await pictureFile('note', 'alone.png'));
  const preview = page.getByRole('img', { name: 'Preview of alone.png' });
  await expect.element(preview).toBeVisible();
  await expect.poll(() => localStorage.getItem('recent-results')).toBe('some');
  tool = await reloadTool(tool);
  await expect.element(page.getByText('The picture that you chose last waits to be read')).toBeVisible();
  await expectAccessible();
  await button('Choose it again').click();
  await expect.element(preview).toBeVisible();
  await tool.read();
  await expect.element(recent()).toHaveTextContent(/The text above is kept\./);
  await reloadTool(tool);
  await expect.element(page.getByRole('textbox', { name: 'Extracted text' })).toBeVisible();
  await expect.element(page.getByText(/waits to be read/)).not.toBeInTheDocument();
});

test('chosen picture: is offered if the page was left while it was read', async () => {
  const tool = await openTool();
  const response = gate();
  worker.use(
    answers(extractText, async () => {
      await response.opened;
      return tool.state.extraction;
    }),
  );
  await tool.choose(await pictureFile('note', 'alone.png'));
  await tool.extract.click();
  await expect.element(button('Cancel')).toBeVisible();
  await expect.poll(waitingNames).toEqual(['alone.png']);
  await reloadTool(tool);
  response.open();
  await button('Choose it again').click();
  await expect.element(page.getByRole('img', { name: 'Preview of alone.png' })).toBeVisible();
  await expect.element(tool.extract).toBeEnabled();
});

test('chosen picture: "Back" from another page shows it without offering it', async () => {
  worker.use(...blogHandlers());
  const tool = await openTool();
  await tool.choose(await pictureFile('note', 'alone.png'));
  const preview = page.getByRole('img', { name: 'Preview of alone.png' });
  await expect.element(preview).toBeVisible();
  await expect.poll(() => localStorage.getItem('recent-results')).toBe('some');
  await page.getByRole('banner').getByRole('link', { name: 'Blog' }).click();
  await expect.poll(() => location.pathname).toBe('/blog');
  history.back();
  await expect.element(preview).toBeVisible();
  await expect.element(tool.extract).toBeEnabled();
  await expect.element(page.getByText(/waits to be read/)).not.toBeInTheDocument();
});

test('chosen picture: signing out deletes it', async () => {
  const tool = await toolOf(await openAs(member('leaver'), '/'));
  await tool.choose(await pictureFile('note', 'private.png'));
  await expect.poll(waitingNames).toEqual(['private.png']);
  await page.getByRole('banner').getByRole('button', { name: 'leaver' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect.element(signInButton()).toBeVisible();
  await expect.element(page.getByText('Drop a picture here')).toBeVisible();
  await reloadTool(tool);
  await expect.element(tool.extract).toBeInTheDocument();
  expect(await waitingNames()).toEqual([]);
});

test('chosen picture: is offered only to its owner after the session has ended', async () => {
  const owner = member('owner');
  const application = await openAs(owner, '/');
  const tool = await toolOf(application);
  await tool.choose(await pictureFile('note', 'private.png'));
  await expect.poll(waitingNames).toEqual(['private.png']);
  application.setSession(null);
  await tool.extract.click();
  await expect.element(page.getByText('You were signed out', { exact: true })).toBeVisible();
  await reloadTool(tool);
  await expect.element(signInButton()).toBeVisible();
  await expect.poll(waitingNames).toEqual(['private.png']);
  expect(page.getByText(/waits to be read/).query()).toBeNull();
  application.setSession(owner);
  await reloadTool(tool);
  await expect.element(page.getByText('The picture that you chose last waits to be read')).toBeVisible();
});

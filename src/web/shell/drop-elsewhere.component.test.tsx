import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { openApplication } from '../../../tests/component/application.tsx';
import { blogHandlers } from '../../../tests/component/articles.ts';
import { dropFiles, pictureFile } from '../../../tests/component/extraction.ts';
import { pictures, rows } from '../../../tests/component/file-list.ts';
import { worker } from '../../../tests/component/server.ts';

/** Opens the blog and waits until it accepts files: that code loads at the first interaction. */
async function openBlog() {
  await openApplication(PAGES.blog);
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toBeVisible();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
  const acceptsFiles = () => {
    const dragOver = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
    heading.element().dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    return !heading.element().dispatchEvent(dragOver);
  };
  await expect.poll(acceptsFiles).toBe(true);
  return heading.element();
}

describe('dropping on a page without the tool', () => {
  beforeEach(() => worker.use(...blogHandlers()));

  test('dropping elsewhere: one picture opens the tool with this picture chosen', async () => {
    dropFiles(await openBlog(), [await pictureFile('note')]);
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    expect(location.pathname).toBe(PAGES.home);
    await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeEnabled();
  });

  test('dropping elsewhere: several pictures open the tool with a file list', async () => {
    dropFiles(await openBlog(), await pictures(2));
    await expect.element(rows().nth(1)).toBeVisible();
    expect(rows().elements()).toHaveLength(2);
    expect(location.pathname).toBe(PAGES.home);
  });
});

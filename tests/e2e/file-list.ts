import type { Page } from '@playwright/test';
import { copyOfNote } from './extraction-page.ts';

/* Page object of the batch list. */

export const rows = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem');

export const row = (page: Page, name: string) => rows(page).filter({ hasText: name });

/** The names of the files, in the order of the list. */
export const names = (page: Page) => rows(page).locator('p.font-medium').allTextContents();

/** Status text of a file that was read. */
export const READ = /Read: \d+ words, \d+% confidence/;

/** Different images named `page-1.png` and so on. */
export const pictures = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => ({ ...copyOfNote(from + at), name: `page-${from + at}.png` }));

/** The server's usage count of today. */
export const imageCount = async (page: Page): Promise<number> =>
  (await (await page.request.get('/api/usage')).json()).imageCount;

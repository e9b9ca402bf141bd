import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { copyOfNote } from './extraction.ts';

/* The file list of the tool. */

export const rows = () => page.getByRole('list', { name: 'Files' }).getByRole('listitem');

export const row = (name: string) => rows().filter({ hasText: name });

/** The names of the files, in the order of the list. */
export const names = () =>
  [...document.querySelectorAll('ul[aria-label="Files"] p.font-medium')].map(
    ({ textContent }) => textContent,
  );

export const expectNames = (expected: readonly string[]) => expect.poll(names).toEqual(expected);

/** The text in the row of a file that was read. */
export const READ = /Read: \d+ words, \d+% confidence/;

/** The state of each row: `read` for a file that was read, else the text of the row. */
export const expectStates = (expected: readonly string[]) =>
  expect
    .poll(() =>
      [...document.querySelectorAll('ul[aria-label="Files"] p:not(.font-medium) > span:last-child')].map(
        ({ textContent }) => (READ.test(textContent) ? 'read' : textContent),
      ),
    )
    .toEqual(expected);

/** Different files named `page-1.png`, `page-2.png` and so on. */
export const pictures = (count: number, from = 1): Promise<File[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const copy = await copyOfNote(from + at);
      return new File([copy], `page-${from + at}.png`, { type: copy.type });
    }),
  );

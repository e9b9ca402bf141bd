import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { copyOfNote } from './extraction.ts';

/* The list of several files that are read one after another. */

export const rows = () => page.getByRole('list', { name: 'Files' }).getByRole('listitem');

export const row = (name: string) => rows().filter({ hasText: name });

/** The names of the files, in the order of the list. */
export const names = () =>
  [...document.querySelectorAll('ul[aria-label="Files"] p.font-medium')].map(
    ({ textContent }) => textContent,
  );

export const expectNames = (expected: readonly string[]) => expect.poll(names).toEqual(expected);

/** What the row of a file says once it was read. */
export const READ = /Read: \d+ words, \d+% confidence/;

/** What each row says of its file: `read` once it was read, else its words. */
export const expectStates = (expected: readonly string[]) =>
  expect
    .poll(() =>
      [...document.querySelectorAll('ul[aria-label="Files"] p:not(.font-medium) > span:last-child')].map(
        ({ textContent }) => (READ.test(textContent) ? 'read' : textContent),
      ),
    )
    .toEqual(expected);

/** Different pictures, called `page-1.png` and so on. */
export const pictures = (count: number, from = 1): Promise<File[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const copy = await copyOfNote(from + at);
      return new File([copy], `page-${from + at}.png`, { type: copy.type });
    }),
  );

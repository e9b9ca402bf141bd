import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { blogHandlers } from '../../../../tests/component/articles.ts';
import { pictureFile } from '../../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  button,
  dialog,
  logIn,
  openAs,
  payment,
  register,
  signInButton,
} from '../../../../tests/component/people.ts';
import { worker } from '../../../../tests/component/server.ts';

/** Opens the start page with the blog as the previous history entry. */
async function openAfterBlog() {
  worker.use(...blogHandlers());
  await openAs(null, PAGES.blog, { site: AVAILABLE });
  await page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name: 'Home' })
    .click();
  await expect.element(button('Extract Text')).toBeVisible();
}

const noDialogInHistory = () => expect.poll(() => Boolean(history.state?.glyphliftDialog)).toBe(false);

describe('Back of the browser', () => {
  test('Back: closes the dialog, keeps the page and restores the focus', async () => {
    await openAfterBlog();
    await page.elementLocator(document.querySelector('input[type=file]')!).upload(await pictureFile('note'));
    await signInButton().click();
    await dialog().getByLabelText('Username').fill('half-typed');
    history.back();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(location.pathname).toBe(PAGES.home);
    await expect.element(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect.element(signInButton()).toHaveFocus();

    await signInButton().click();
    await expect.element(dialog().getByLabelText('Username')).toHaveValue('half-typed');
    history.back();
    await expect.element(dialog()).not.toBeInTheDocument();
    history.back();
    await expect.poll(() => location.pathname).toBe(PAGES.blog);
  });

  test('Back: leads to the previous page after several dialogs in a row were closed', async () => {
    await openAfterBlog();
    await signInButton().click();
    await register('walker');
    await payment().getByRole('button', { name: 'Pay with the demo provider' }).click();
    await logIn('walker');
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(button('walker')).toBeVisible();
    await noDialogInHistory();
    history.back();
    await expect.poll(() => location.pathname).toBe(PAGES.blog);
  });
});

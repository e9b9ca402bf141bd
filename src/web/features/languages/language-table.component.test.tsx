import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { openApplication } from '../../../../tests/component/application.tsx';

test('languages page: shows the error rates of each language of the server, or that it was not measured', async () => {
  const languages = [
    { code: 'eng', name: 'English', allowed: true, installed: true },
    { code: 'jpn_vert', name: 'Japanese (vertical)', allowed: false, installed: true },
    { code: 'Cyrillic', name: 'Cyrillic script', allowed: false, installed: true },
  ];
  await openApplication(PAGES.premium, { state: { languages } });
  await page.getByRole('link', { name: 'How well each language is read' }).click();
  await expect.poll(() => location.pathname).toBe(PAGES.languages);
  await expect.element(page.getByRole('heading', { level: 1, name: /how well each is read/ })).toBeVisible();

  const cells = (row: RegExp) =>
    page
      .getByRole('row', { name: row })
      .getByRole('cell')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.element(page.getByRole('row', { name: /^English / })).toBeVisible();
  expect(cells(/^English /)).toEqual([
    expect.stringMatching(/^very well 0\.\d$/),
    expect.stringMatching(/^(very )?well \d\.\d$/),
  ]);
  expect(cells(/^Japanese \(vertical\)/)).toEqual(['not measured']);
  // One row is the header; whole scripts have no row.
  expect(page.getByRole('row').elements()).toHaveLength(3);
  await expectAccessible();
});

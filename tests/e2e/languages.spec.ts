import { PAGES } from '#contract/paths';
import { expect, test } from './test.ts';

test('the languages page says of each language of this server how well it is read, or that nobody measured it', async ({
  page,
  expectAccessible,
}) => {
  await page.goto(PAGES.premium);
  await page.getByRole('link', { name: 'How well each language is read' }).click();
  await expect(page).toHaveURL(PAGES.languages);
  await expect(page.getByRole('heading', { level: 1, name: /how well each is read/ })).toBeVisible();

  const english = page.getByRole('row', { name: /^English / });
  await expect(english.getByRole('cell')).toHaveText([/^very well 0\.\d$/, /^(very )?well \d\.\d$/]);
  await expect(page.getByRole('row', { name: /^Japanese \(vertical\)/ }).getByRole('cell')).toHaveText(
    'not measured',
  );

  const { languages } = await (await page.request.get('/api/languages')).json();
  const own = languages.filter(({ code }: { code: string }) => /^[a-z]/.test(code));
  await expect(page.getByRole('row')).toHaveCount(own.length + 1);
  await expectAccessible();
});

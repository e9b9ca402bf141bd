import { PAGES } from '#contract/paths';
import { expect, test } from '../test.ts';

test.use({ settings: { FREE_DAILY_LIMIT: '2' } });

test('daily limit: server-rendered pages contain the configured limit', async ({ page }) => {
  const document = async (path: string) => (await page.request.get(path)).text();
  const home = await document(PAGES.home);
  expect(home).toMatch(/Free users get (<!-- -->)?2(<!-- -->)? extractions daily\./);
  expect(home).toMatch(/Two pictures a day(<!-- -->)? without an account/);
  const premium = await document(PAGES.premium);
  expect(premium).toMatch(/more than (<!-- -->)?two pictures a day/);
  for (const html of [home, premium]) expect(html).not.toMatch(/three (pictures )?a day|3 per day/i);
});

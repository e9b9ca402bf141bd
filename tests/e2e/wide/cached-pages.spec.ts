import type { Page } from '@playwright/test';
import { extractText } from '#contract/calls/recognition';
import { articlePage, PAGES, PUBLIC_PAGES } from '#contract/paths';
import { copyOfNote, payloadOf } from '../extraction-page.ts';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, signInButton } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PAGE_LIMIT_PER_MINUTE: '1000' },
  expectedConsole: FAILED_REQUESTS,
});

const name = (page: Page, username: string) => page.getByRole('banner').getByText(username);

/** Loads another document, like a link of another site. */
const leave = (page: Page) => page.goto(PAGES.terms);

test('cached pages: after signing in, Back to an earlier page shows the user', async ({ page }) => {
  await open(page);
  await expect(signInButton(page)).toBeVisible();
  await leave(page);
  await becomeMember(page, 'comes');
  await page.goBack();
  await expect(name(page, 'comes')).toBeVisible();
});

test('cached pages: a public page is the same for all visitors of a minute, and hydrates without a call or an error', async ({
  page,
  browser,
  baseURL,
}) => {
  for (const path of [...PUBLIC_PAGES, articlePage('reading-receipts')]) {
    const sameMinute = async () => {
      const strangers = await Promise.all([0, 1].map(() => browser.newContext({ baseURL: baseURL! })));
      const answers = await Promise.all(strangers.map(({ request }) => request.get(`${path}?utm_source=x`)));
      const [first, second] = await Promise.all(answers.map((answer) => answer.text()));
      await Promise.all(strangers.map((stranger) => stranger.close()));
      return first === second;
    };
    // The minute may end between two responses.
    await expect.poll(sameMinute).toBe(true);

    const calls: string[] = [];
    const note = (request: { url(): string }) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
    };
    page.on('request', note);
    await open(page, path);
    page.off('request', note);
    expect(calls).toEqual([]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('cached pages: the document itself contains the usage of its visitor', async ({
  page,
  browser,
  baseURL,
}) => {
  const other = await browser.newContext({ baseURL: baseURL! });
  await open(page);
  for (let count = 0; count < 3; count++) {
    const file = payloadOf(copyOfNote(count));
    const answer = await page.request.post(extractText.path, { multipart: { useFiltering: 'true', file } });
    expect(answer.status()).toBe(200);
    const document = await (await page.request.get(PAGES.home)).text();
    expect(document).toContain(
      ['Free users get', 'Only 1 extraction remaining', 'Daily limit reached'][count],
    );
    expect(await (await other.request.get(PAGES.home)).text()).not.toContain('Upgrade Now');
  }
  await open(page);
  await expect(page.getByText('Daily limit reached')).toBeVisible();
  await other.close();
});

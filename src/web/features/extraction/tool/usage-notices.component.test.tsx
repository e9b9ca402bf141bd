import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { PAGES } from '#contract/paths';
import { toast } from '../../../../../tests/component/application.tsx';
import { copyOfNote, openTool } from '../../../../../tests/component/extraction.ts';
import { dialog, signInButton } from '../../../../../tests/component/people.ts';
import { answers, enforcesQuota, visitorState, worker } from '../../../../../tests/component/server.ts';

const openWithDailyLimitTwo = () =>
  openTool({
    staticParts: true,
    site: { freeDailyLimit: 2 },
    state: { usage: { ...visitorState().usage, dailyLimit: 2 } },
  });

test('monthly limit: every page and dialog shows the configured limit', async () => {
  const { router } = await openTool({ staticParts: true, site: { premiumMonthlyLimit: 2 } });
  await expect
    .element(page.getByRole('link', { name: 'Upgrade for upto 2 extractions per month' }))
    .toBeVisible();
  await expect.element(page.getByText('Premium: two a month')).toBeInTheDocument();
  await signInButton().click();
  await dialog().getByRole('button', { name: 'Notify Me When Ready' }).click();
  await expect.element(dialog()).toHaveTextContent(/two pictures a month instead of three a day\./);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => history.state?.glyphliftDialog).toBeFalsy();

  await router.navigate(PAGES.premium);
  await expect.element(page.getByRole('cell', { name: '2 per month' })).toBeVisible();
  expect(document.body.textContent).not.toMatch(/1,?500/);
});

describe('daily limit', () => {
  test('daily limit: every page and dialog shows the configured limit', async () => {
    const { router } = await openWithDailyLimitTwo();
    await expect.element(page.getByText('Free users get 2 extractions daily.')).toBeVisible();
    await expect.element(page.getByText('Two pictures a day without an account')).toBeVisible();
    await signInButton().click();
    await expect.element(dialog()).toHaveTextContent(/two pictures a day are free/);
    await dialog().getByRole('button', { name: 'Notify Me When Ready' }).click();
    await expect.element(dialog()).toHaveTextContent(/1,500 pictures a month instead of two a day\./);
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.poll(() => history.state?.glyphliftDialog).toBeFalsy();

    await router.navigate(PAGES.premium);
    await expect.element(page.getByText('more than two pictures a day')).toBeVisible();
    await expect.element(page.getByRole('cell', { name: '2 per day' })).toBeVisible();
    expect(document.body.textContent).not.toMatch(/three (pictures )?a day|3 per day/i);
  });

  test('daily limit: the allowance is shown with a result, and the time of the reset when the limit is reached', async () => {
    const tool = await openWithDailyLimitTwo();
    worker.use(enforcesQuota(tool.state));
    const reset = /Your count resets in 14 h\./;
    const limit = page.getByRole('status').filter({ hasText: 'Daily limit reached.' });
    const readAnother = async (number: number) => {
      await tool.choose(await copyOfNote(number));
      await tool.read();
      await expect.element(toast()).toHaveTextContent(/Success!/);
      await expect.element(page.getByText('Free users get 2 extractions daily.')).toBeVisible();
    };
    await readAnother(1);
    expect(limit.query()).toBeNull();
    expect(page.getByText(reset).query()).toBeNull();
    await readAnother(2);
    await expect.element(limit).toHaveTextContent(reset);

    await tool.choose(await copyOfNote(3));
    await tool.extract.click();
    await expect.element(dialog()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    const refusal = page.getByRole('alert').filter({ hasText: 'Daily limit reached.' });
    await expect.element(refusal).toHaveTextContent(reset);
    await expect.element(refusal.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();
    // The limit is not shown twice.
    await expect.element(limit).not.toBeInTheDocument();

    // The server reads a counted picture again with the other filter setting.
    worker.use(answers(extractText, () => tool.state.extraction));
    await page.getByRole('switch', { name: 'Smart Text Filtering' }).click();
    await readAnother(1);
    expect(tool.state.usage.imageCount).toBe(2);
  });

  test('daily limit: on a phone the error is in view after its dialog is closed', async () => {
    await page.viewport(375, 667);
    const tool = await openWithDailyLimitTwo();
    tool.state.usage.imageCount = 2;
    worker.use(enforcesQuota(tool.state));
    await tool.choose(await copyOfNote(3));
    await tool.extract.click();
    await expect.element(dialog()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    const refusal = page.getByRole('alert').filter({ hasText: 'Daily limit reached.' });
    await expect.element(refusal).toBeInViewport({ ratio: 1 });
    await expect.element(refusal.getByRole('button', { name: 'Upgrade Now' })).toBeInViewport({ ratio: 1 });
  });
});

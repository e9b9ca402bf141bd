import { listArticles } from '#contract/calls/content';
import { PAGES } from '#contract/paths';
import { ATTACKS, forbiddenParts, HOSTILE_ARTICLE } from '../../support/hostile-markdown.ts';
import { NOTE, openTool, SKY } from '../extraction-page.ts';
import { open } from '../people.ts';
import { expect, test } from '../test.ts';

test.describe('markup from text', () => {
  test.use({ expectedConsole: [/TrustedHTML|Trusted Type/i] });

  test('content policy: the browser blocks markup from text, and the server logs it without any text of the page', async ({
    page,
    server,
  }) => {
    // Other tests use the same server.
    const before = server.log().length;
    const log = () => server.log().slice(before);
    await open(page, `${PAGES.premium}?private=words`);
    const isRefused = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<b>private words</b>';
        return false;
      } catch {
        return true;
      }
    });
    expect(isRefused).toBe(true);
    const report = () =>
      log()
        .split('\n')
        .find((line) => line.includes('content policy'));
    await expect.poll(report, { timeout: 45_000 }).toContain('"blocked":"trusted-types-sink"');
    expect(report()).toContain(`"page":"${PAGES.premium}"`);
    expect(log()).not.toContain('private');
  });
});

test.describe('the address of a picture', () => {
  // The policy of the page blocks what the policy of its worker allows.
  test.use({ expectedConsole: [/Content Security Policy|violates the document's/i] });

  test('content policy: a worker fetches a pasted URL, and the rest of the page cannot reach another site', async ({
    page,
  }) => {
    const address = 'https://pictures.example/a%20note.png';
    await page
      .context()
      .route(address, (route) =>
        route.fulfill({ path: NOTE, headers: { 'access-control-allow-origin': '*' } }),
      );
    await open(page);
    const isRefused = () =>
      page.evaluate(
        (url) =>
          fetch(url).then(
            () => false,
            () => true,
          ),
        address,
      );
    expect(await isRefused()).toBe(true);
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, address);
    await expect(page.getByText('a note.png', { exact: true })).toBeVisible();
  });
});

test('content policy: the bar code reader runs in its worker, under the policy of its file', async ({
  page,
}) => {
  const tool = await openTool(page);
  await tool.choose(SKY);
  await tool.read();
  await page.getByRole('button', { name: 'Look for bar codes' }).click();
  await expect(page.getByText('No bar code was found.')).toBeVisible();
});

test.describe('hostile Markdown', () => {
  // The attacks contain missing pictures and blocked frames.
  test.use({ expectedConsole: [/./] });

  test('hostile Markdown: an article of attacks runs no script and keeps only allowed elements', async ({
    page,
  }) => {
    let attacks = 0;
    await page.exposeFunction('attacked', () => {
      attacks += 1;
    });
    page.on('dialog', (dialog) => {
      attacks += 1;
      void dialog.dismiss();
    });
    await page.route(`**${listArticles.path}/*`, (route) => route.fulfill({ json: HOSTILE_ARTICLE }));
    await open(page, PAGES.blog);
    await page.getByRole('article').first().getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE_ARTICLE.title);
    const address = page.url();

    for (const target of await page.locator('.prose :is(summary, button, input)').all())
      await target.dispatchEvent('click');
    await page.locator('.prose a').evaluateAll((links) => {
      for (const link of links) {
        link.addEventListener('click', (event) => event.preventDefault(), { once: true });
        link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      }
    });

    const kept = await page.locator('.prose *').evaluateAll((elements) =>
      elements.map((element) => ({
        tag: element.localName,
        attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      })),
    );
    expect(kept.length).toBeGreaterThan(ATTACKS.length / 2);
    expect(forbiddenParts(kept)).toEqual([]);
    expect(page.url()).toBe(address);
    expect(attacks).toBe(0);
  });
});

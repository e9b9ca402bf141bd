import { describe, expect, test } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { makeApiKey, revokeApiKey } from '#contract/calls/api-keys';
import { renewWebhookSecret } from '#contract/calls/webhooks';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { AVAILABLE, type Member, member, openAs, PASSWORD } from '../../../../tests/component/people.ts';
import { answers, requests, worker } from '../../../../tests/component/server.ts';

/* API keys on the account page. The server's tests cover scopes and hashing. */

const KEY = 'glyph_live_0123456789abcdefghjkmnpqrstvwxyz';
const EMPTY = 'your programs can read pictures in your name';

const section = () => page.getByRole('region', { name: 'API keys' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const field = (name: string) => section().getByLabelText(name, { exact: true });

async function openKeys(who: Member) {
  worker.use(
    answers(makeApiKey, async (request) => {
      const { name, scopes, origins = [] } = await request.json();
      const key = {
        id: 'key-1',
        name,
        scopes,
        origins,
        ending: KEY.slice(-4),
        createdAt: '2026-05-04T10:00:00.000Z',
        lastUsedAt: null,
      };
      who.keys = [key];
      return { key, secret: KEY };
    }),
    answers(revokeApiKey, () => {
      who.keys = [];
      return {};
    }),
  );
  await openAs(who, PAGES.account, { site: AVAILABLE });
  await expect.element(section()).toHaveTextContent(EMPTY);
}

describe('API keys', () => {
  test('API keys: in the dark color scheme a key is created with the keyboard, shown once and revoked', async () => {
    await commands.emulateMedia({ colorScheme: 'dark' });
    await openKeys(member('ada'));
    await expect.element(button('Make a key')).toBeVisible();
    (button('Make a key').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Name')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(section().getByRole('alert')).toHaveTextContent('Please give the key a name');
    await userEvent.keyboard('Scanner in the hall{Tab}');
    await expect.element(section().getByLabelText('Read pictures')).toHaveFocus();
    await userEvent.keyboard('{Tab}{Tab}');
    await expect.element(field('Web pages that may use it')).toHaveFocus();
    await userEvent.keyboard('https://app.example.org/start{Tab}');
    await expect.element(field('Current password')).toHaveFocus();
    await userEvent.keyboard(PASSWORD);
    await userEvent.keyboard('{Enter}');
    await expect.element(section().getByRole('alert')).toHaveTextContent('without a path');
    await expectAccessible();
    await field('Web pages that may use it').fill('https://app.example.org, http://localhost:5173');
    await userEvent.keyboard('{Enter}');
    await expect.element(field('API key')).toHaveFocus();
    await expect.element(field('API key')).toHaveTextContent(KEY);
    await expectAccessible();
    const { request } = requests.find(({ call }) => call === 'POST /api/account/keys')!;
    expect(await request.json()).toEqual({
      name: 'Scanner in the hall',
      scopes: ['read', 'usage'],
      origins: ['https://app.example.org', 'http://localhost:5173'],
      currentPassword: PASSWORD,
    });

    await button('I have saved it').click();
    const entry = section().getByRole('listitem');
    await expect.element(entry).toHaveTextContent('Scanner in the hall');
    await expect.element(entry).toHaveTextContent(KEY.slice(-4));
    await expect.element(entry).toHaveTextContent('On https://app.example.org, http://localhost:5173');
    await expect.element(entry).toHaveTextContent('never used');
    expect(section().element().textContent).not.toContain(KEY);
    await expectAccessible();

    await button('Revoke Scanner in the hall').click();
    const question = page.getByRole('dialog');
    await expect.element(question.getByRole('button', { name: 'Keep it' })).toHaveFocus();
    await expectAccessible();
    await question.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect.element(toast()).toHaveTextContent('Key revoked');
    await expect.element(section()).toHaveTextContent(EMPTY);
  });

  test('API keys: a used key shows when it was last used', async () => {
    await openAs(
      member('ada', {
        keys: [
          {
            id: 'key-1',
            name: 'Scanner',
            scopes: ['read'],
            origins: [],
            ending: 'wxyz',
            createdAt: '2026-05-01T10:00:00.000Z',
            lastUsedAt: '2026-05-03T10:00:00.000Z',
          },
        ],
      }),
      PAGES.account,
    );
    await expect.element(section().getByRole('listitem')).toHaveTextContent('last used May 3, 2026');
  });
});

test.each(['light', 'dark'] as const)(
  'webhook secret: in the %s color scheme it requires the password, is shown once and renewed',
  async (colorScheme) => {
    await commands.emulateMedia({ colorScheme });
    const ada = member('ada');
    let made = 0;
    worker.use(
      answers(renewWebhookSecret, () => {
        made += 1;
        ada.webhookSecretMadeAt = '2026-05-04T10:00:00.000Z';
        return { secret: `whsec_${made}`, madeAt: ada.webhookSecretMadeAt };
      }),
    );
    await openKeys(ada);
    const shown = field('Webhook secret');
    for (const [unfold, make, secret] of [
      ['Make a secret', 'Make it', 'whsec_1'],
      ['Renew the secret', 'Renew it', 'whsec_2'],
    ] as const) {
      await button(unfold).click();
      await expect.element(field('Current password')).toHaveFocus();
      await button(make).click();
      await expect.element(section().getByRole('alert')).toBeVisible();
      await field('Current password').fill(PASSWORD);
      await button(make).click();
      await expect.element(shown).toHaveFocus();
      await expect.element(shown).toHaveTextContent(secret);
      await expectAccessible();
      await button('I have saved it').click();
      await expect.element(section()).toHaveTextContent('Webhooks are signed with it');
      await expect.element(shown).not.toBeInTheDocument();
    }
    await expectAccessible();
  },
);

import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ApiKey } from '#contract/api-key';
import { listApiKeys } from '#contract/calls/api-keys';
import { getWebhookSecret, renewWebhookSecret } from '#contract/calls/webhooks';
import { tabTo } from '../../../../tests/component/application.tsx';
import { answers, requests, worker } from '../../../../tests/component/server.ts';
import { createQueryClient } from '../../session/queries.ts';
import { PasswordSettings } from '../account/password-settings.tsx';
import { ApiKeyList, ApiKeysNotice } from './api-key-list.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/* The parts of the account page about API keys, rendered without the rest of the page. */

const PASSWORD = 'harbour lights 7';

const KEY: ApiKey = {
  id: 'key-1',
  name: 'Scanner in the hall',
  scopes: ['read'],
  origins: [],
  ending: 'abcd',
  createdAt: '2026-05-01T10:00:00.000Z',
  lastUsedAt: null,
};

const withQueries = (children: ReactNode) => (
  <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
);

const button = (name: string) => page.getByRole('button', { name, exact: true });
const password = () => page.getByLabelText('Current password');

test('webhook secret: can be created and renewed with the keyboard only, and the focus is never lost', async () => {
  let madeAt: string | null = null;
  let made = 0;
  worker.use(
    answers(listApiKeys, () => ({ keys: [] })),
    answers(getWebhookSecret, () => ({ madeAt })),
    answers(renewWebhookSecret, () => {
      made += 1;
      madeAt = '2026-05-04T10:00:00.000Z';
      return { secret: `whsec_${made}`, madeAt };
    }),
  );
  await render(
    withQueries(
      <main>
        <ApiKeyList premium hasPassword />
        <WebhookSecret premium hasPassword />
      </main>,
    ),
  );
  const shown = page.getByLabelText('Webhook secret', { exact: true });
  for (const [unfold, make, secret] of [
    ['Make a secret', 'Make it', 'whsec_1'],
    ['Renew the secret', 'Renew it', 'whsec_2'],
  ] as const) {
    await expect.element(button(unfold)).toBeVisible();
    (button('Make a key').element() as HTMLElement).focus();
    await userEvent.keyboard('{Tab}');
    await expect.element(button(unfold)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(password()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(password()).toHaveFocus();
    await userEvent.keyboard(PASSWORD);
    await tabTo(() => button(make).query(), 4);
    await userEvent.keyboard('{Enter}');
    await expect.element(shown).toHaveFocus();
    await expect.element(shown).toHaveTextContent(secret);
    await tabTo(() => button('I have saved it').query(), 4);
    await userEvent.keyboard('{Enter}');
    await expect.element(shown).not.toBeInTheDocument();
  }
  const sent = requests.filter(({ call }) => call === 'POST /api/account/webhook-secret');
  expect(await Promise.all(sent.map(({ request }) => request.json()))).toEqual([
    { currentPassword: PASSWORD },
    { currentPassword: PASSWORD },
  ]);
});

const passwordAndKeys = () =>
  withQueries(
    <main>
      <section aria-label="Password">
        <PasswordSettings hasPassword note={<ApiKeysNotice at="#api-keys" />} />
      </section>
      <div style={{ height: '200vh' }} />
      <section aria-labelledby="keys-title" id="api-keys">
        <h2 id="keys-title">API keys</h2>
        <ApiKeyList premium hasPassword />
      </section>
    </main>,
  );

test('password settings: without API keys it does not mention them', async () => {
  worker.use(answers(listApiKeys, () => ({ keys: [] })));
  await render(passwordAndKeys());
  await expect
    .element(page.getByRole('region', { name: 'API keys' }))
    .toHaveTextContent('With a key, your programs');
  expect(page.getByRole('region', { name: 'Password' }).element().textContent).not.toContain('API keys');
});

test('password settings: with API keys it says that they stay valid, and links to them', async () => {
  worker.use(answers(listApiKeys, () => ({ keys: [KEY] })));
  await render(passwordAndKeys());
  const section = page.getByRole('region', { name: 'Password' });
  await expect.element(section).toHaveTextContent('Your API keys stay valid when the password changes.');
  const heading = page.getByRole('heading', { name: 'API keys' });
  await expect.element(heading).not.toBeInViewport();
  await section.getByRole('link', { name: 'See or revoke your API keys' }).click();
  await expect.element(heading).toBeInViewport();
});

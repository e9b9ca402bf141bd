import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { longDate } from '#contract/long-date';
import { accounts } from '../../api/client.ts';
import { DownloadLink } from '../../api/download-link.tsx';
import { useDialogs } from '../../dialogs/dialogs.tsx';
import { accountQuery, secondFactorQuery, sessionsQuery } from '../../features/account/account-queries.ts';
import { AddressSettings } from '../../features/account/address-settings.tsx';
import { DeleteAccount } from '../../features/account/delete-account.tsx';
import { LinkedSignIn } from '../../features/account/linked-sign-in.tsx';
import { PasswordSettings } from '../../features/account/password-settings.tsx';
import { SecondFactorSettings } from '../../features/account/second-factor-settings.tsx';
import { SessionList } from '../../features/account/session-list.tsx';
import { ApiKeyList, ApiKeysNotice, apiKeysQuery } from '../../features/api-keys/api-key-list.tsx';
import { WebhookSecret, webhookSecretQuery } from '../../features/api-keys/webhook-secret.tsx';
import { PlanSettings } from '../../features/billing/plan-settings.tsx';
import { savedTextsQuery } from '../../features/saved-texts/saved-texts-calls.ts';
import { SavedTextsList } from '../../features/saved-texts/saved-texts-list.tsx';
import type { Page } from '../../router/page.ts';
import { subscriptionQuery, usageQuery, userQuery } from '../../session/queries.ts';
import { useSite } from '../../site/site.tsx';
import { TextLink } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { CouldNotLoad } from '../../ui/forms/form.tsx';
import { SignedOut } from './signed-out.tsx';

function AccountPage() {
  const user = useQuery(userQuery).data;
  return (
    <div className="page-width py-10 md:py-16">
      <h1 className="text-4xl">Your account</h1>
      {user ? <Settings key={user.username} premium={user.isPremium} /> : <SignedOut />}
    </div>
  );
}

function Settings({ premium }: { premium: boolean }) {
  const { openFor } = useDialogs();
  const { supportEmail } = useSite();
  const { data: account, error, refetch } = useQuery(accountQuery);
  // These sections are near the top. If they rendered before their data, everything below them would move later.
  const topQueries = [
    useQuery(subscriptionQuery),
    useQuery(usageQuery),
    useInfiniteQuery(savedTextsQuery('')),
  ];

  if (error) {
    return (
      <CouldNotLoad className="mt-6" onTryAgain={() => refetch()}>
        Your account could not be loaded.
      </CouldNotLoad>
    );
  }
  if (!account || topQueries.some(({ isPending }) => isPending)) return <Skeleton className="mt-10 h-dvh" />;
  return (
    <>
      <p className="mt-4 text-ink-soft">
        {account.username}, here since {longDate(account.createdAt)}
      </p>
      <div className="mt-8">
        <Entry title="Plan">
          <PlanSettings onUpgrade={() => openFor('upgrade')} />
        </Entry>
        <Entry title="Saved texts" intro="Texts you chose to keep. Never the pictures.">
          <SavedTextsList premium={premium} />
        </Entry>
        <Entry title="Email address">
          <AddressSettings account={account} />
        </Entry>
        <Entry title="Password">
          <PasswordSettings hasPassword={account.hasPassword} note={<ApiKeysNotice at="#api-keys" />} />
        </Entry>
        <Entry title="Two-step sign-in">
          <SecondFactorSettings hasPassword={account.hasPassword} />
        </Entry>
        <Entry title="Linked sign-in">
          <LinkedSignIn account={account} />
        </Entry>
        <Entry title="Where you are signed in">
          <SessionList />
        </Entry>
        <Entry title="API keys" id="api-keys" intro="For programs that read pictures in your name.">
          <div className="grid gap-6">
            <ApiKeyList premium={premium} hasPassword={account.hasPassword} />
            <WebhookSecret premium={premium} hasPassword={account.hasPassword} />
          </div>
        </Entry>
        <Entry title="Support">
          <p>
            Write to <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink> from the address
            above, and a person answers to it{premium && ', premium first'}.
          </p>
        </Entry>
        <Entry title="Your data" intro="Everything we keep about you, as one file of JSON.">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <DownloadLink href={accounts.address('GET /api/account/data')}>Download your data</DownloadLink>
            <DeleteAccount account={account} />
          </div>
        </Entry>
      </div>
    </>
  );
}

/** The session may end while the server reads the data. The prefetch then fails, and the browser fetches it again. */
async function requireUserData<Data>(reading: Promise<Data | null>): Promise<Data> {
  const data = await reading;
  if (data === null) throw new Error('no user is signed in any more');
  return data;
}

export const page: Page = {
  Component: AccountPage,
  isPrivate: true,
  async load({ queryClient, data }) {
    if (!queryClient.getQueryData(userQuery.queryKey)) return undefined;
    await Promise.all([
      queryClient.prefetchQuery({ ...subscriptionQuery, queryFn: () => data.subscription() }),
      queryClient.prefetchQuery({ ...accountQuery, queryFn: () => requireUserData(data.account()) }),
      queryClient.prefetchInfiniteQuery({
        ...savedTextsQuery(''),
        queryFn: () => requireUserData(data.savedTexts()),
      }),
      queryClient.prefetchQuery({
        ...secondFactorQuery,
        queryFn: () => requireUserData(data.secondFactor()),
      }),
      queryClient.prefetchQuery({ ...sessionsQuery, queryFn: () => requireUserData(data.sessions()) }),
      queryClient.prefetchQuery({ ...apiKeysQuery, queryFn: () => requireUserData(data.apiKeys()) }),
      queryClient.prefetchQuery({
        ...webhookSecretQuery,
        queryFn: () => requireUserData(data.webhookSecret()),
      }),
    ]);
    return undefined;
  },
  meta: () => ({
    title: 'Your account',
    description: 'Plan, saved texts, address, password and everything else about your account.',
  }),
};

interface EntryProps {
  title: string;
  /** The anchor of the section. */
  id?: string;
  intro?: ReactNode;
  children: ReactNode;
}

/** A section with its title in the margin, its content beside it and a rule above. */
function Entry({ title, id: anchor, intro, children }: EntryProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-t border-rule py-7 first:border-rule-heavy md:grid-cols-[18.75rem_minmax(0,1fr)] md:py-9"
    >
      <div>
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {intro && <p className="mt-1.5 text-sm text-ink-soft">{intro}</p>}
      </div>
      <div className="min-w-0 max-w-2xl">{children}</div>
    </section>
  );
}

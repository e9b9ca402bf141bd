import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Account } from '#contract/account';
import { reasonOf, registration } from '../../api/client.ts';
import { linkedProviderId, providerName, signInName, useSite } from '../../site/site.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { toast, toastError } from '../../ui/toast/toast-store.ts';
import { accountQuery } from './account-queries.ts';

/** Shows whether the account is linked to the sign-in provider, and links or unlinks it. */
export function LinkedSignIn({ account }: { account: Account }) {
  const site = useSite();
  const queries = useQueryClient();
  const name = signInName(site);
  const Name = name.charAt(0).toUpperCase() + name.slice(1);
  const key = linkedProviderId(site);
  const linked = account.identities.find(({ provider }) => provider === key);
  const linking = useMutation({
    mutationFn: () => registration.ask('POST /api/account/identities'),
    onSuccess: ({ redirectUrl }) => location.assign(redirectUrl),
    onError: async (error) =>
      toastError(await reasonOf(error, `${providerName(site.signInProvider)} authentication failed`)),
  });
  const unlinking = useMutation({
    mutationFn: () =>
      registration.send('DELETE /api/account/identities/:provider', { params: { provider: key } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ ...accountQuery, exact: true });
      toast({ title: 'Unlinked', description: `${Name} no longer opens your account.` });
    },
    onError: async (error) => toastError(await reasonOf(error, 'It could not be unlinked.')),
  });

  if (!linked && site.thirdPartySignIn === null) {
    return <p>Signing in with {name} is not set up on this server.</p>;
  }
  if (!linked) {
    return (
      <div className="grid justify-items-start gap-4">
        <p>{Name} is not linked to this account.</p>
        <Button
          variant="secondary"
          busy={linking.isPending || linking.isSuccess}
          onClick={() => linking.mutate()}
        >
          Link {name}
        </Button>
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-4">
      <p className="wrap-anywhere">
        {Name} opens this account{linked.email && ` (${linked.email})`}.
      </p>
      <Button variant="secondary" busy={unlinking.isPending} onClick={() => unlinking.mutate()}>
        Unlink {name}
      </Button>
    </div>
  );
}

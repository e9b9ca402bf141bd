import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#contract/api-key';
import { API_KEY_PREFIX, API_SCOPES, MAX_API_KEYS } from '#contract/api-key-rules';
import { longDate } from '#contract/long-date';
import { PAGES } from '#contract/paths';
import { apiKeys, reasonOf } from '../../api/client.ts';
import { refetchWhenShown } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button, TextLink } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { ConfirmActions, LazyDialog } from '../../ui/dialog/lazy-dialog.tsx';
import { Disclosure } from '../../ui/forms/disclosure.tsx';
import { toast, toastError } from '../../ui/toast/toast-store.ts';
import { type CreatedKey, NewApiKeyForm } from './new-api-key-form.tsx';
import { ShownSecret } from './shown-secret.tsx';

/** Fetched at each mount, because a program may have used a key. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api', 'account', 'keys'],
  queryFn: ({ signal }) => apiKeys.ask('GET /api/account/keys', { signal }),
  ...refetchWhenShown,
});

/** Creates, shows and revokes API keys. */
export function ApiKeyList({ premium, hasPassword }: { premium: boolean; hasPassword: boolean }) {
  const queries = useQueryClient();
  const { data, isError } = useQuery(apiKeysQuery);
  const [made, setMade] = useState<CreatedKey | null>(null);

  if (isError) return <Alert tone="danger">Your keys could not be loaded. Please reload the page.</Alert>;
  if (!data) return <Skeleton className="h-24" />;
  const { keys } = data;
  if (made) {
    return (
      <ShownSecret label="API key" secret={made.secret} onDone={() => setMade(null)}>
        This is the key “{made.key.name}”. Copy it now: we keep only a hash of it and cannot show it again.
        Anyone who has it can read pictures from your quota.
      </ShownSecret>
    );
  }
  return (
    <div className="grid justify-items-start gap-5">
      {keys.length === 0 && (
        <p>
          With a key, your programs can read pictures in your name and from your quota.{' '}
          {!premium && 'Keys are part of premium. '}
          <TextLink href={PAGES.developers}>API documentation</TextLink>
        </p>
      )}
      {keys.length > 0 && !premium && (
        <Alert tone="warning">
          Your keys are suspended, because your premium has ended. They work again when you have premium
          again.
        </Alert>
      )}
      {keys.length > 0 && (
        <ul className="w-full border-b border-rule">
          {keys.map((key) => (
            <KeyEntry key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {premium && keys.length < MAX_API_KEYS && (
        <Disclosure label="Make a key">
          {() => (
            <NewApiKeyForm
              hasPassword={hasPassword}
              onMade={async (next) => {
                setMade(next);
                await queries.invalidateQueries(apiKeysQuery);
              }}
            />
          )}
        </Disclosure>
      )}
      {premium && keys.length >= MAX_API_KEYS && (
        <p className="text-ink-soft">
          You have {MAX_API_KEYS} keys, the maximum. Revoke one to make another.
        </p>
      )}
    </div>
  );
}

/** The notice at the password form that API keys stay valid, which matters if the old password leaked. */
export function ApiKeysNotice({ at }: { at: string }) {
  const { data } = useQuery(apiKeysQuery);
  if (!data?.keys.length) return null;
  return (
    <p className="text-sm text-ink-soft">
      Your API keys stay valid when the password changes.{' '}
      <TextLink href={at}>See or revoke your API keys</TextLink>
    </p>
  );
}

function KeyEntry({ apiKey }: { apiKey: ApiKey }) {
  const { name, ending, scopes, origins, createdAt, lastUsedAt } = apiKey;
  const [revoking, setRevoking] = useState(false);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-rule py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">{name}</p>
        <p className="font-mono text-sm text-ink-soft">
          {API_KEY_PREFIX}…{ending}
        </p>
        <p className="text-sm text-ink-soft">
          {scopes.map((scope) => API_SCOPES[scope]).join(' · ')}
          <br />
          {origins.length > 0 && (
            <span className="wrap-anywhere">
              On {origins.join(', ')}
              <br />
            </span>
          )}
          Made {longDate(createdAt)}, {lastUsedAt ? `last used ${longDate(lastUsedAt)}` : 'never used'}
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        aria-label={`Revoke ${name}`}
        onClick={() => setRevoking(true)}
      >
        Revoke
      </Button>
      <LazyDialog
        open={revoking}
        onOpenChange={setRevoking}
        title="Revoke this key?"
        description={`Programs that use “${name}” can no longer call the server. This cannot be undone.`}
      >
        <Revocation id={apiKey.id} onDone={() => setRevoking(false)} />
      </LazyDialog>
    </li>
  );
}

function Revocation({ id, onDone }: { id: string; onDone: () => void }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => apiKeys.send('DELETE /api/account/keys/:id', { params: { id } }),
    onSuccess: async () => {
      onDone();
      toast({ title: 'Key revoked', description: 'It no longer works.' });
      await queries.invalidateQueries(apiKeysQuery);
    },
    onError: async (error) => toastError(await reasonOf(error, 'The key could not be revoked.')),
  });
  return (
    <ConfirmActions
      onKeep={onDone}
      action="Revoke"
      working="Revoking..."
      busy={isPending}
      onAct={() => mutate()}
    />
  );
}

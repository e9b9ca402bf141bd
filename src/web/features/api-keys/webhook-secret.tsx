import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PREVIOUS_SECRET_HOURS } from '#contract/api-key-rules';
import { longDate } from '#contract/long-date';
import { reasonOf, webhooks } from '../../api/client.ts';
import { refetchWhenShown } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { Disclosure } from '../../ui/forms/disclosure.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type FormProblem, useForm } from '../../ui/forms/use-form.ts';
import { ShownSecret } from './shown-secret.tsx';

export const webhookSecretQuery = queryOptions({
  queryKey: ['api', 'account', 'webhook-secret'],
  queryFn: ({ signal }) => webhooks.ask('GET /api/account/webhook-secret', { signal }),
  ...refetchWhenShown,
});

/** The secret that signs a user's webhooks: created, shown once, renewed. */
export function WebhookSecret({ premium, hasPassword }: { premium: boolean; hasPassword: boolean }) {
  const queries = useQueryClient();
  const { data, isError } = useQuery(webhookSecretQuery);
  const [made, setMade] = useState<string | null>(null);

  if (isError)
    return <Alert tone="danger">Your webhook secret could not be loaded. Please reload the page.</Alert>;
  if (!data || (!premium && data.madeAt === null)) return null;
  const exists = data.madeAt !== null;
  return (
    <div className="grid justify-items-start gap-4">
      <h3 className="font-sans text-base font-medium tracking-normal">Webhook secret</h3>
      {made !== null && (
        <ShownSecret label="Webhook secret" secret={made} onDone={() => setMade(null)}>
          Copy it now: it is not shown again. Your program uses it to check that a webhook comes from us. The
          previous secret stays valid for {PREVIOUS_SECRET_HOURS} more hours.
        </ShownSecret>
      )}
      {made === null && (
        <p className="text-ink-soft">
          {data.madeAt === null
            ? 'When a job of your program has ended, we send a signed webhook to a URL of its choice.'
            : `Made ${longDate(data.madeAt)}. Webhooks are signed with it.`}
        </p>
      )}
      {made === null && premium && (
        <Disclosure label={exists ? 'Renew the secret' : 'Make a secret'}>
          {() => (
            <SecretForm
              action={exists ? 'Renew it' : 'Make it'}
              hasPassword={hasPassword}
              onMade={async (secret) => {
                setMade(secret);
                await queries.invalidateQueries(webhookSecretQuery);
              }}
            />
          )}
        </Disclosure>
      )}
    </div>
  );
}

interface SecretFormProps {
  action: string;
  hasPassword: boolean;
  onMade: (secret: string) => Promise<void>;
}

function SecretForm({ action, hasPassword, onMade }: SecretFormProps) {
  const password = useCurrentPassword(hasPassword);
  const form = useForm<'currentPassword', { secret: string }>({
    check: (): FormProblem<'currentPassword'> | null => password.problem,
    send: () => webhooks.ask('POST /api/account/webhook-secret', { body: password.body }),
    onSuccess: ({ secret }) => onMade(secret),
    explain: (error) => reasonOf(error, 'The secret could not be made.'),
  });
  return (
    <Form form={form} action={action} working="Making...">
      {password.fieldWith(form.errorOf('currentPassword'))}
    </Form>
  );
}

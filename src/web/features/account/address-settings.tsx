import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '#contract/account';
import { emailProblem } from '#contract/account-rules';
import { accounts, reasonOf } from '../../api/client.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge } from '../../ui/basics/display.tsx';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { Disclosure } from '../../ui/forms/disclosure.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type FormProblem, problemWith, useForm } from '../../ui/forms/use-form.ts';
import { toast, toastError } from '../../ui/toast/toast-store.ts';
import { accountQuery } from './account-queries.ts';

/** Shows the account's address and whether it is confirmed, and changes it. */
export function AddressSettings({ account }: { account: Account }) {
  const { email, emailVerified, pendingEmail } = account;
  return (
    <div className="grid gap-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 wrap-anywhere">
        {email} <Badge>{emailVerified ? 'confirmed' : 'not confirmed'}</Badge>
      </p>
      {(pendingEmail || !emailVerified) && (
        <UnconfirmedAddress address={pendingEmail ?? email} isNew={!!pendingEmail} />
      )}
      <Disclosure label="Change address">
        {(fold) => <AddressForm hasPassword={account.hasPassword} onDone={fold} />}
      </Disclosure>
    </div>
  );
}

function UnconfirmedAddress({ address, isNew }: { address: string; isNew: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => accounts.send('POST /api/account/verify/resend'),
    onSuccess: () =>
      toast({ title: 'Mail sent', description: 'Open the link in it to confirm your address.' }),
    onError: async (error) => toastError(await reasonOf(error, 'The mail could not be sent.')),
  });
  return (
    <Alert
      action={
        <Button variant="secondary" size="small" busy={isPending} onClick={() => mutate()}>
          Send the link again
        </Button>
      }
    >
      {isNew
        ? `${address} becomes your address once you open the link we mailed to it.`
        : 'Open the link in our mail, so that you can reset your password if you lose it.'}
    </Alert>
  );
}

type Field = 'email' | 'currentPassword';

function AddressForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const password = useCurrentPassword(hasPassword);
  const form = useForm<Field, Response>({
    check: (): FormProblem<Field> | null => {
      return problemWith('email', emailProblem(email)) ?? password.problem;
    },
    send: () => accounts.send('POST /api/account/email', { body: { email, ...password.body } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ ...accountQuery, exact: true });
      toast({ title: 'Almost done', description: 'Open the link that we have mailed to the new address.' });
      onDone();
    },
    explain: (error) => reasonOf(error, 'The address could not be changed.'),
  });
  return (
    <Form form={form} action="Change address" working="Saving...">
      <TextField
        label="New address"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onValue={setEmail}
        error={form.errorOf('email')}
      />
      {password.fieldWith(form.errorOf('currentPassword'))}
    </Form>
  );
}

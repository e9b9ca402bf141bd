import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { longDate } from '#contract/long-date';
import type { SecondFactorSecret, SecondFactorStatus } from '#contract/second-factor';
import { accounts, reasonOf } from '../../api/client.ts';
import { lazyComponent } from '../../hydration/lazy.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { Disclosure } from '../../ui/forms/disclosure.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { toast } from '../../ui/toast/toast-store.ts';
import { secondFactorQuery } from './account-queries.ts';
import { checkProof, NO_PROOF, ProofField, proofBody } from './forms/proof.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const QrCode = lazyComponent(async () => (await import('./qr-code.tsx')).QrCode, {
  fallback: <Skeleton className="size-52" />,
});

/** Turns two-step sign-in with an authenticator app on and off, and creates recovery codes. */
export function SecondFactorSettings({ hasPassword }: { hasPassword: boolean }) {
  const queries = useQueryClient();
  const { data, isError } = useQuery(secondFactorQuery);
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = () => queries.invalidateQueries(secondFactorQuery);

  if (isError) return <Alert tone="danger">This could not be loaded. Please reload the page.</Alert>;
  if (!data) return <Skeleton className="h-24" />;
  const { secondFactor } = data;
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  if (!secondFactor) {
    return (
      <div className="grid gap-4">
        <p>
          Off. When it is on, signing in also asks for a code from an authenticator app, so that a stolen
          password is not enough.
        </p>
        <Disclosure label="Turn on">
          {() => (
            <Setup
              hasPassword={hasPassword}
              onDone={async (made) => {
                setCodes(made);
                await refresh();
                toast({ title: 'Two-step sign-in is on', description: 'Every other device was signed out.' });
              }}
            />
          )}
        </Disclosure>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <p>
        On since {longDate(secondFactor.since)}. <CodesLeft secondFactor={secondFactor} />
      </p>
      <Disclosure label="Make new recovery codes">
        {() => (
          <ProofForm
            hasPassword={hasPassword}
            action="Make new codes"
            send={async (body) =>
              (await accounts.ask('POST /api/account/second-factor/recovery-codes', { body })).recoveryCodes
            }
            onSuccess={async (made) => {
              setCodes(made);
              await refresh();
            }}
          />
        )}
      </Disclosure>
      <Disclosure label="Turn off">
        {() => (
          <ProofForm
            hasPassword={hasPassword}
            action="Turn it off"
            send={(body) => accounts.send('POST /api/account/second-factor/off', { body })}
            onSuccess={async () => {
              await refresh();
              toast({ title: 'Two-step sign-in is off', description: 'Your password is enough again.' });
            }}
          />
        )}
      </Disclosure>
    </div>
  );
}

function CodesLeft({
  secondFactor: { recoveryCodesLeft },
}: {
  secondFactor: NonNullable<SecondFactorStatus>;
}) {
  if (recoveryCodesLeft === 0) return <>No recovery code is left: please make new ones.</>;
  return recoveryCodesLeft === 1
    ? 'One recovery code is left.'
    : `${recoveryCodesLeft} recovery codes are left.`;
}

interface SetupProps {
  hasPassword: boolean;
  onDone: (recoveryCodes: string[]) => unknown;
}

function Setup({ hasPassword, onDone }: SetupProps) {
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  return secret ? (
    <ConfirmForm secret={secret} onDone={onDone} />
  ) : (
    <StartForm hasPassword={hasPassword} onSecret={setSecret} />
  );
}

interface StartFormProps {
  hasPassword: boolean;
  onSecret: (secret: SecondFactorSecret) => void;
}

function StartForm({ hasPassword, onSecret }: StartFormProps) {
  const password = useCurrentPassword(hasPassword);
  const form = useForm<'currentPassword', SecondFactorSecret>({
    check: () => password.problem,
    send: () => accounts.ask('POST /api/account/second-factor/start', { body: password.body }),
    onSuccess: onSecret,
    explain: (error) => reasonOf(error, 'Two-step sign-in could not be set up.'),
  });
  return (
    <Form form={form} action="Continue" working="Preparing...">
      {password.fieldWith(form.errorOf('currentPassword'))}
    </Form>
  );
}

interface ConfirmFormProps {
  secret: SecondFactorSecret;
  onDone: (recoveryCodes: string[]) => unknown;
}

function ConfirmForm({ secret: { uri, secret }, onDone }: ConfirmFormProps) {
  const [text, setText] = useState('');
  const form = useForm({
    check: () => checkProof({ kind: 'code', text }),
    send: async () =>
      (await accounts.ask('POST /api/account/second-factor', { body: { code: text } })).recoveryCodes,
    onSuccess: onDone,
    explain: (error) => reasonOf(error, 'Two-step sign-in could not be turned on.'),
  });
  return (
    <Form form={form} action="Turn on" working="Turning on...">
      <p>Scan this with an authenticator app, then type the six digits that it shows.</p>
      <QrCode text={uri} label="QR code for your authenticator app; it contains the key below" />
      <p>
        On this device,{' '}
        <a href={uri} className="text-link">
          open your app
        </a>
        . Or type this key into it:
        <code className="mt-1 block font-mono wrap-anywhere select-all" data-testid="second-factor-key">
          {(secret.match(/.{1,4}/g) ?? []).join(' ')}
        </code>
      </p>
      <TextField
        ref={focusOnce}
        label="Code"
        name="proof"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits from your authenticator app"
        className="font-mono"
        value={text}
        onValue={setText}
        error={form.errorOf('proof')}
      />
    </Form>
  );
}

/** Focuses the field at its mount, because the focused element of the previous step has disappeared. */
function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}

interface ProofFormProps<Answer> {
  hasPassword: boolean;
  action: string;
  send: (body: ReturnType<typeof proofBody> & { currentPassword?: string }) => Promise<Answer>;
  onSuccess: (answer: Answer) => unknown;
}

function ProofForm<Answer>({ hasPassword, action, send, onSuccess }: ProofFormProps<Answer>) {
  const password = useCurrentPassword(hasPassword);
  const [proof, setProof] = useState(NO_PROOF);
  const form = useForm<'currentPassword' | 'proof', Answer>({
    check: () => password.problem ?? checkProof(proof),
    send: () => send({ ...proofBody(proof), ...password.body }),
    onSuccess,
    explain: (error) => reasonOf(error, 'This could not be done.'),
  });
  return (
    <Form form={form} action={action} working="Saving...">
      {password.fieldWith(form.errorOf('currentPassword'))}
      <ProofField proof={proof} onProof={setProof} error={form.errorOf('proof')} />
    </Form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { emailProblem, newPasswordProblem, usernameProblem } from '#contract/account-rules';
import type { claimPreviewSchema } from '#contract/billing';
import { billing, reasonOf } from '../../api/client.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Skeleton } from '../../ui/basics/display.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type FormProblem, problemWith, useForm } from '../../ui/forms/use-form.ts';

type Claim = z.infer<typeof claimPreviewSchema>;
type Field = 'username' | 'email' | 'password';

interface ClaimFormProps {
  claim: Claim;
  token: string;
  onDone: () => void;
}

/** Finishes a paid registration after someone else has taken its username or address. */
export function ClaimForm({ claim, token, onDone }: ClaimFormProps) {
  const [username, setUsername] = useState(claim.usernameTaken ? '' : claim.username);
  const [email, setEmail] = useState(claim.emailTaken ? '' : claim.email);
  const [password, setPassword] = useState('');
  const { formProps, busy, failure, errorOf } = useForm<Field, Response>({
    check: () => checkClaim({ username, email, password: claim.needsPassword ? password : null }),
    send: () =>
      billing.send('POST /api/payment/claim', {
        body: { token, username, email, ...(claim.needsPassword && { password }) },
      }),
    onSuccess: onDone,
    explain: (error) => reasonOf(error, 'Registration failed'),
  });
  return (
    <form {...formProps} className="grid gap-4">
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-first-focus
        hint={claim.usernameTaken ? `Meanwhile, someone else has taken “${claim.username}”.` : undefined}
        value={username}
        onValue={setUsername}
        error={errorOf('username')}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        hint={claim.emailTaken ? 'The address of your registration has an account meanwhile.' : undefined}
        value={email}
        onValue={setEmail}
        error={errorOf('email')}
      />
      {claim.needsPassword && (
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 6 characters"
          value={password}
          onValue={setPassword}
          error={errorOf('password')}
        />
      )}
      {failure && (
        <Alert tone="danger" isAnnouncedElsewhere>
          {failure}
        </Alert>
      )}
      <Button type="submit" busy={busy}>
        {busy ? 'Creating account...' : 'Create Account'}
      </Button>
    </form>
  );
}

/** The claim form of a mailed link, which works in any browser. */
export function MailedClaim({ token, onDone }: { token: string; onDone: () => void }) {
  const { data, isError } = useQuery({
    queryKey: ['api', 'payment', 'claim', token],
    queryFn: () => billing.ask('POST /api/payment/claim/preview', { body: { token } }),
    gcTime: 0,
  });
  if (isError) return <NothingToClaim />;
  if (!data) return <Skeleton className="h-48" />;
  return <ClaimForm claim={data} token={token} onDone={onDone} />;
}

function NothingToClaim() {
  return (
    <Alert tone="warning" title="There is no registration to finish">
      The link may have been used already. If you have paid, try to sign in.
    </Alert>
  );
}

function checkClaim(values: {
  username: string;
  email: string;
  password: string | null;
}): FormProblem<Field> | null {
  const { username, email, password } = values;
  return (
    problemWith<Field>('username', usernameProblem(username)) ??
    problemWith<Field>('email', emailProblem(email)) ??
    problemWith<Field>('password', password === null ? null : newPasswordProblem(password))
  );
}

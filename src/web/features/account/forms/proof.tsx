import { queryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import { proofProblem } from '#contract/account-rules';
import { accounts } from '../../../api/client.ts';
import { refetchWhenShown } from '../../../session/queries.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { type FormProblem, problemWith } from '../../../ui/forms/use-form.ts';

export const accountQuery = queryOptions({
  queryKey: ['api', 'account'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account', { signal }),
});

/** Always fetched: another device may have signed in or out. */
export const sessionsQuery = queryOptions({
  queryKey: ['api', 'account', 'sessions'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account/sessions', { signal }),
  ...refetchWhenShown,
});

export const secondFactorQuery = queryOptions({
  queryKey: ['api', 'account', 'second-factor'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account/second-factor', { signal }),
});

/** Proof of the second factor: a code or a recovery code. */
export interface Proof {
  kind: 'code' | 'recoveryCode';
  text: string;
}

export const NO_PROOF: Proof = { kind: 'code', text: '' };

export function checkProof({ kind, text }: Proof): FormProblem<'proof'> | null {
  return problemWith('proof', proofProblem(kind, text));
}

export function proofBody({ kind, text }: Proof): { code: string } | { recoveryCode: string } {
  return kind === 'code' ? { code: text } : { recoveryCode: text };
}

interface ProofFieldProps {
  proof: Proof;
  onProof: (proof: Proof) => void;
  error: string | undefined;
}

/** A code of the authenticator app, or a recovery code if the app is lost. */
export function ProofField({ proof: { kind, text }, onProof, error }: ProofFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  const byApp = kind === 'code';
  const change = () => {
    onProof({ kind: byApp ? 'recoveryCode' : 'code', text: '' });
    field.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={field} className="grid gap-3">
      <TextField
        label={byApp ? 'Code' : 'Recovery code'}
        name="proof"
        inputMode={byApp ? 'numeric' : 'text'}
        autoComplete={byApp ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        hint={
          byApp
            ? 'Six digits from your authenticator app'
            : 'One of the ten that you were given; it works once'
        }
        className="font-mono"
        value={text}
        onValue={(next) => onProof({ kind, text: next })}
        error={error}
      />
      <Button variant="quiet" className="justify-self-start" onClick={change}>
        {byApp ? 'Use a recovery code instead' : 'Use your authenticator app instead'}
      </Button>
    </div>
  );
}

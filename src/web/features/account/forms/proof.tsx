import { useRef } from 'react';
import { proofProblem } from '#contract/account-rules';
import { Button } from '../../../ui/basics/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { type FormProblem, problemWith } from '../../../ui/forms/use-form.ts';

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
  const isCode = kind === 'code';
  const change = () => {
    onProof({ kind: isCode ? 'recoveryCode' : 'code', text: '' });
    field.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={field} className="grid gap-3">
      <TextField
        label={isCode ? 'Code' : 'Recovery code'}
        name="proof"
        inputMode={isCode ? 'numeric' : 'text'}
        autoComplete={isCode ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        hint={
          isCode
            ? 'Six digits from your authenticator app'
            : 'One of your ten recovery codes; each works once'
        }
        className="font-mono"
        value={text}
        onValue={(next) => onProof({ kind, text: next })}
        error={error}
      />
      <Button variant="quiet" className="justify-self-start" onClick={change}>
        {isCode ? 'Use a recovery code instead' : 'Use your authenticator app instead'}
      </Button>
    </div>
  );
}

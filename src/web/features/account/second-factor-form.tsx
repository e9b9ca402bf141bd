import { useEffect, useRef, useState } from 'react';
import { failedBy, reasonOf } from '../../api.ts';
import { people } from '../../calls.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useForm } from '../../ui/use-form.ts';
import { checkProof, NO_PROOF, proofBody } from './proof.ts';
import { ProofField } from './proof-field.tsx';
import { toastError } from './toast-error.ts';

interface SecondFactorFormProps {
  onSuccess: () => Promise<void>;
  /** The password has to be given again. */
  onStartOver: () => void;
}

/** The second step of signing in: the password was right, and this browser may answer with a code. */
export function SecondFactorForm({ onSuccess, onStartOver }: SecondFactorFormProps) {
  const [proof, setProof] = useState(NO_PROOF);
  const fields = useRef<HTMLDivElement>(null);
  const { formProps, busy, failure, errorOf } = useForm({
    check: () => checkProof(proof),
    send: () => people.send('POST /api/login/second-factor', { body: proofBody(proof) }),
    onSuccess,
    explain: async (error) => {
      const message = await reasonOf(error, 'Login failed');
      const over = await failedBy(error, 'second_factor.sign_in_over', 'accounts.sign_in_required');
      if (!over) return message;
      toastError(message);
      onStartOver();
      return null;
    },
  });

  // It takes the place of the password's form, and so of what had the focus.
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);

  return (
    <form {...formProps} className="grid gap-4">
      <p>Two-step sign-in is on for this account.</p>
      <div ref={fields}>
        <ProofField proof={proof} onProof={setProof} error={errorOf('proof')} />
      </div>
      {failure && <Alert tone="danger">{failure}</Alert>}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
        <Button type="submit" busy={busy}>
          {busy ? 'Logging in...' : 'Login'}
        </Button>
        <Button variant="quiet" onClick={onStartOver}>
          Back to the password
        </Button>
      </div>
    </form>
  );
}

import { useEffect, useRef, useState } from 'react';
import { accounts, failedBy, reasonOf } from '../../api/client.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { toastError } from '../../ui/toast/toast-store.ts';
import { checkProof, NO_PROOF, ProofField, proofBody } from './forms/proof.tsx';

interface SecondFactorFormProps {
  onSuccess: (response: Response) => Promise<void>;
  /** The password has to be entered again. */
  onStartOver: () => void;
}

/** The second step of signing in: a code or a recovery code after the right password. */
export function SecondFactorForm({ onSuccess, onStartOver }: SecondFactorFormProps) {
  const [proof, setProof] = useState(NO_PROOF);
  const fields = useRef<HTMLDivElement>(null);
  const form = useForm({
    check: () => checkProof(proof),
    send: () => accounts.send('POST /api/login/second-factor', { body: proofBody(proof) }),
    onSuccess,
    explain: async (error) => {
      const message = await reasonOf(error, 'Login failed');
      const mustStartOver = await failedBy(error, 'second_factor.sign_in_over', 'accounts.sign_in_required');
      if (!mustStartOver) return message;
      toastError(message);
      onStartOver();
      return null;
    },
  });

  // This form replaces the password form, which had the focus.
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);

  return (
    <Form
      form={form}
      action="Login"
      working="Logging in..."
      alternative={
        <Button variant="quiet" onClick={onStartOver}>
          Back to the password
        </Button>
      }
    >
      <p>Two-step sign-in is on for this account.</p>
      <div ref={fields}>
        <ProofField proof={proof} onProof={setProof} error={form.errorOf('proof')} />
      </div>
    </Form>
  );
}

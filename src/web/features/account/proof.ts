import { codeSchema, recoveryCodeSchema } from '#contract/second-factor';
import type { FormProblem } from '../../ui/use-form.ts';

/** What somebody types to prove that a second factor is theirs. */
export interface Proof {
  kind: 'code' | 'recoveryCode';
  text: string;
}

export const NO_PROOF: Proof = { kind: 'code', text: '' };

const SCHEMAS = { code: codeSchema, recoveryCode: recoveryCodeSchema } as const;

export function checkProof({ kind, text }: Proof): FormProblem<'proof'> | null {
  const issue = SCHEMAS[kind].safeParse(text).error?.issues[0];
  return issue ? { message: issue.message, fields: ['proof'] } : null;
}

export function proofBody({ kind, text }: Proof): { code: string } | { recoveryCode: string } {
  return kind === 'code' ? { code: text } : { recoveryCode: text };
}

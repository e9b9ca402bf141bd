import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/account-rules';
import { TextField } from './field.tsx';
import type { FormProblem } from './use-form.ts';

/**
 * The current password in a form: required before changes that an unlocked screen must not allow. Without a password, there is
 * no field and nothing to send.
 */
export function useCurrentPassword(hasPassword: boolean) {
  const [value, setValue] = useState('');
  const problem: FormProblem<'currentPassword'> | null =
    hasPassword && value === '' ? { message: ACCOUNT_MESSAGES.fillAll, fields: ['currentPassword'] } : null;
  return {
    problem,
    /** What a call takes. */
    body: hasPassword ? { currentPassword: value } : {},
    fieldWith: (error: string | undefined) =>
      hasPassword && (
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          value={value}
          onValue={setValue}
          error={error}
        />
      ),
  };
}

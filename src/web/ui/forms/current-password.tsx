import { useState } from 'react';
import { ACCOUNT_MESSAGES } from '#contract/account-rules';
import { TextField } from './field.tsx';
import type { FormProblem } from './use-form.ts';

/**
 * The current password in a form. Sensitive changes require it, because the user may have left the screen unlocked. For an
 * account without a password, there is no field and nothing to send.
 */
export function useCurrentPassword(hasPassword: boolean) {
  const [value, setValue] = useState('');
  const problem: FormProblem<'currentPassword'> | null =
    hasPassword && value === '' ? { message: ACCOUNT_MESSAGES.fillAll, fields: ['currentPassword'] } : null;
  return {
    problem,
    /** The part of the request body. */
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

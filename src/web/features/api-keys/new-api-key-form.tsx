import { useState } from 'react';
import type { z } from 'zod';
import type { madeApiKeySchema } from '#contract/api-key';
import { API_KEY_MESSAGES, API_SCOPES, type ApiScope, isPageOrigin } from '#contract/api-key-rules';
import { apiKeys, reasonOf } from '../../api/client.ts';
import { useCurrentPassword } from '../../ui/forms/current-password.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type FormProblem, useForm } from '../../ui/forms/use-form.ts';

export type CreatedKey = z.infer<typeof madeApiKeySchema>;

type Field = 'name' | 'scopes' | 'origins' | 'currentPassword';

const SCOPES = (Object.keys(API_SCOPES) as ApiScope[]).map((id) => ({ id, label: API_SCOPES[id] }));

interface NewApiKeyFormProps {
  hasPassword: boolean;
  onMade: (made: CreatedKey) => Promise<void>;
}

/** Creates a key. The form asks for the password again, because someone else may use an unlocked screen. */
export function NewApiKeyForm({ hasPassword, onMade }: NewApiKeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>(SCOPES.map(({ id }) => id));
  const [typedOrigins, setTypedOrigins] = useState('');
  const password = useCurrentPassword(hasPassword);
  const origins = typedOrigins.split(/[\s,]+/).filter(Boolean);

  function check(): FormProblem<Field> | null {
    if (name.trim() === '') return { message: API_KEY_MESSAGES.name, fields: ['name'] };
    if (scopes.length === 0) return { message: API_KEY_MESSAGES.scopes, fields: ['scopes'] };
    if (!origins.every(isPageOrigin)) return { message: API_KEY_MESSAGES.origins, fields: ['origins'] };
    return password.problem;
  }

  const form = useForm<Field, CreatedKey>({
    check,
    send: () =>
      apiKeys.ask('POST /api/account/keys', {
        body: {
          name: name.trim(),
          scopes: [...scopes],
          ...(origins.length > 0 && { origins }),
          ...password.body,
        },
      }),
    onSuccess: onMade,
    explain: (error) => reasonOf(error, 'The key could not be made.'),
  });
  const scopesError = form.errorOf('scopes');
  return (
    <Form form={form} action="Make the key" working="Making...">
      <TextField
        label="Name"
        name="name"
        maxLength={60}
        autoComplete="off"
        hint="What it is for, such as the machine that uses it"
        value={name}
        onValue={setName}
        error={form.errorOf('name')}
      />
      <fieldset>
        <legend className="font-medium">What it may do</legend>
        {SCOPES.map(({ id, label }) => (
          <label key={id} className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              name="scopes"
              className="size-6 shrink-0 accent-ink"
              checked={scopes.includes(id)}
              aria-invalid={scopesError ? true : undefined}
              onChange={({ target: { checked } }) =>
                setScopes((before) => (checked ? [...before, id] : before.filter((one) => one !== id)))
              }
            />
            {label}
          </label>
        ))}
        {scopesError && (
          <p role="alert" className="text-sm text-danger">
            {scopesError}
          </p>
        )}
      </fieldset>
      <TextField
        label="Web pages that may use it"
        name="origins"
        autoComplete="off"
        hint="Optional: origins such as https://app.example.org, with spaces between them. Visitors of a page can read a key in it."
        value={typedOrigins}
        onValue={setTypedOrigins}
        error={form.errorOf('origins')}
      />
      {password.fieldWith(form.errorOf('currentPassword'))}
    </Form>
  );
}

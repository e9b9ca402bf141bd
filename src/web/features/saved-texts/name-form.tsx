import { useState } from 'react';
import { reasonOf } from '../../api/client.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';

interface NameFormProps {
  /** Initial name. */
  initial: string;
  action: string;
  /** `name` is trimmed. */
  send: (name: string) => Promise<Response>;
  onSent: (name: string) => Promise<void>;
  /** Default error message. */
  failure: string;
}

export function NameForm({ initial, action, send, onSent, failure }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const name = typed.trim();
  const form = useForm<'name', Response>({
    check: () => (name === '' ? { message: 'Please give the text a name', fields: ['name'] } : null),
    send: () => send(name),
    onSuccess: () => onSent(name),
    explain: (error) => reasonOf(error, failure),
  });
  return (
    <Form form={form} action={action} working="Saving...">
      <TextField
        label="Name"
        name="name"
        maxLength={200}
        autoComplete="off"
        data-first-focus
        value={typed}
        onValue={setTyped}
        error={form.errorOf('name')}
      />
    </Form>
  );
}

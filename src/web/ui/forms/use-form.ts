import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type ToastHandle, toast } from '../toast/toast-store.ts';

/** Why a form is not sent, and which of its fields to mark. */
export interface FormProblem<Field extends string> {
  message: string;
  fields: readonly Field[];
  /** The toast's title; that of the form's failures unless said. */
  title?: string;
}

/** Of a rule that looks at one field alone. */
export const problemWith = <Field extends string>(
  field: Field,
  message: string | null,
): FormProblem<Field> | null => (message === null ? null : { message, fields: [field] });

interface FormOptions<Field extends string, Answer> {
  /** What keeps the form from being sent; null when nothing does. */
  check: () => FormProblem<Field> | null;
  send: () => Promise<Answer>;
  /** The form stays busy until it is done. */
  onSuccess: (answer: Answer) => unknown;
  /** A sentence for a failed call; null when the failure was dealt with otherwise. */
  explain: (error: unknown) => Promise<string | null>;
  failureTitle?: string;
}

/**
 * One form: checked, sent once at a time, and a failure shown both by a toast and in place. The first invalid field
 * gets the focus; fields are found by their `name`.
 */
export function useForm<Field extends string, Answer>({
  check,
  send,
  onSuccess,
  explain,
  failureTitle = 'Error',
}: FormOptions<Field, Answer>) {
  const [problem, setProblem] = useState<FormProblem<Field> | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const told = useRef<ToastHandle | null>(null);
  const tell = (title: string, description: string) => {
    told.current = toast({ title, description, variant: 'destructive' });
  };

  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: send,
    onSuccess,
    onError: async (error) => {
      const message = await explain(error);
      if (message === null) return;
      setProblem({ message, fields: [] });
      tell(failureTitle, message);
    },
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const found = check();
    setProblem(found);
    told.current?.dismiss();
    if (!found) return mutate();
    tell(found.title ?? failureTitle, found.message);
    const [first] = found.fields;
    const control = first && form.current?.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  };

  return {
    formProps: { ref: form, onSubmit, noValidate: true },
    busy: isPending,
    done: isSuccess,
    failure: problem && problem.fields.length === 0 ? problem.message : null,
    errorOf: (field: Field) => (problem?.fields.includes(field) ? problem.message : undefined),
  };
}

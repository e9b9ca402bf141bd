import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type ToastHandle, toast } from '../toast/toast-store.ts';

/** Why a form cannot be sent, and its invalid fields. */
export interface FormProblem<Field extends string> {
  message: string;
  fields: readonly Field[];
  /** The toast's title. Default: `failureTitle` of the form. */
  title?: string;
}

/** The problem of one field; null without a message. */
export const problemWith = <Field extends string>(
  field: Field,
  message: string | null,
): FormProblem<Field> | null => (message === null ? null : { message, fields: [field] });

interface FormOptions<Field extends string, Answer> {
  /** Validates the fields; null if they are valid. */
  check: () => FormProblem<Field> | null;
  send: () => Promise<Answer>;
  /** The form stays busy until this function resolves. */
  onSuccess: (answer: Answer) => unknown;
  /** The error message of a failed call; null if the caller has handled the failure. */
  explain: (error: unknown) => Promise<string | null>;
  failureTitle?: string;
}

/**
 * Validates and sends a form, and shows failures both as a toast and in the form. The first invalid field, found by its
 * `name`, gets the focus.
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
  const shownToast = useRef<ToastHandle | null>(null);
  const showError = (title: string, description: string) => {
    shownToast.current = toast({ title, description, variant: 'destructive' });
  };

  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: send,
    onSuccess,
    onError: async (error) => {
      const message = await explain(error);
      if (message === null) return;
      setProblem({ message, fields: [] });
      showError(failureTitle, message);
    },
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const found = check();
    setProblem(found);
    shownToast.current?.dismiss();
    if (!found) return mutate();
    showError(found.title ?? failureTitle, found.message);
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

import { ACCOUNT_MESSAGES, emailProblem, newPasswordProblem, usernameProblem } from '#contract/account-rules';
import { type FormProblem, problemWith } from '../../../ui/forms/use-form.ts';

export interface LoginValues {
  username: string;
  password: string;
}

export interface RegisterValues {
  username: string;
  email: string;
  password: string;
  confirmation: string;
}

export interface NewPasswordValues {
  password: string;
  confirmation: string;
}

export const NO_PASSWORD: NewPasswordValues = { password: '', confirmation: '' };

/** The empty fields. A field with spaces only is empty, except a password. */
const emptyFields = <Field extends string>(values: Record<Field, string>): Field[] =>
  (Object.keys(values) as Field[]).filter(
    (field) => (field === 'password' ? values[field] : values[field].trim()) === '',
  );

export function checkLogin(values: LoginValues): FormProblem<keyof LoginValues> | null {
  const empty = emptyFields({ username: values.username, password: values.password });
  return empty.length > 0 ? { message: ACCOUNT_MESSAGES.fillAll, fields: empty } : null;
}

/** The checks in their order: empty fields, different passwords, a short password, username, address. */
export function checkRegister(values: RegisterValues): FormProblem<keyof RegisterValues> | null {
  const { username, email, password } = values;
  const empty = emptyFields({ username, email, password });
  if (empty.length > 0) return { message: ACCOUNT_MESSAGES.fillAll, fields: empty };
  const passwordProblem = checkNewPassword(values);
  if (passwordProblem) return passwordProblem;
  return (
    problemWith<keyof RegisterValues>('username', usernameProblem(username)) ??
    problemWith('email', emailProblem(email))
  );
}

export function checkNewPassword({
  password,
  confirmation,
}: NewPasswordValues): FormProblem<keyof NewPasswordValues> | null {
  if (password === '') return { message: ACCOUNT_MESSAGES.fillAll, fields: ['password'] };
  if (password !== confirmation)
    return { message: ACCOUNT_MESSAGES.passwordsDiffer, fields: ['confirmation'] };
  return problemWith('password', newPasswordProblem(password));
}

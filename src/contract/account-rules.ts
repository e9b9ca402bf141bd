/*
 * Rules for names, addresses, passwords and codes, and their error messages. The server's schemas use them, and the page's
 * forms use them directly, without a schema library.
 */

/** Messages of page and server. */
export const ACCOUNT_MESSAGES = {
  fillAll: 'Please fill in all fields',
  passwordsDiffer: 'Passwords do not match',
  passwordShort: 'Password must be at least 6 characters long',
  passwordLong: 'Password must be at most 128 characters long',
  usernameForm:
    'A username has 2 to 32 letters or digits; dots, dashes and underscores may stand between or after them',
  emailForm: 'Please enter a valid email address',
} as const;

export const SECOND_FACTOR_MESSAGES = {
  code: 'Please enter the six digits that your authenticator app shows',
  recoveryCode: 'A recovery code has 16 letters and digits',
} as const;

export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 128;
export const EMAIL_MAX_LENGTH = 254;
/** Input with optional separators. */
export const PROOF_MAX_LENGTH = 50;

/** Without an at sign, so that names and addresses are distinct and both can be used to sign in. */
export const USERNAME_FORM = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{1,31}$/u;
/** Dot-separated local part, and a domain of at least two labels; quoted local parts and IP literals are not supported. */
export const EMAIL_FORM = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/;
export const PROOF_FORMS = { code: /^\d{6}$/, recoveryCode: /^[\da-hjkmnp-tv-z]{16}$/ } as const;

const spaces = /\s/g;

/** Removes separators. */
export const READ_PROOF = {
  code: (typed: string) => typed.replace(spaces, ''),
  /** Letters that look like digits are never issued, so they are read as digits. */
  recoveryCode: (typed: string) =>
    typed.toLowerCase().replace(spaces, '').replaceAll('-', '').replaceAll('o', '0').replace(/[il]/g, '1'),
} as const;

/** Error message of an invalid username; null if it is valid. The functions below work alike. */
export function usernameProblem(typed: string): string | null {
  const name = typed.trim().normalize('NFKC');
  if (name === '') return ACCOUNT_MESSAGES.fillAll;
  return USERNAME_FORM.test(name) ? null : ACCOUNT_MESSAGES.usernameForm;
}

export function emailProblem(typed: string): string | null {
  const email = typed.trim();
  if (email === '') return ACCOUNT_MESSAGES.fillAll;
  return email.length <= EMAIL_MAX_LENGTH && EMAIL_FORM.test(email) ? null : ACCOUNT_MESSAGES.emailForm;
}

export function newPasswordProblem(typed: string): string | null {
  if (typed === '') return ACCOUNT_MESSAGES.fillAll;
  // Counted in code points, like in the schemas.
  const { length } = [...typed.normalize('NFKC')];
  if (length < PASSWORD_MIN_LENGTH) return ACCOUNT_MESSAGES.passwordShort;
  return length > PASSWORD_MAX_LENGTH ? ACCOUNT_MESSAGES.passwordLong : null;
}

/** Error message of an invalid code or recovery code; null if it is valid. */
export function proofProblem(kind: keyof typeof PROOF_FORMS, typed: string): string | null {
  const isValid = typed.length <= PROOF_MAX_LENGTH && PROOF_FORMS[kind].test(READ_PROOF[kind](typed));
  return isValid ? null : SECOND_FACTOR_MESSAGES[kind];
}

/** Functions that run in a page and report its errors. Only their source is transferred. */

/** Writes violations of the content security policy to the console as errors, which the protocols report. */
export function reportPolicyViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    // biome-ignore lint/suspicious/noConsole: the console of the page is what is watched
    console.error(`Content Security Policy: ${violatedDirective} blocks ${blockedURI}`),
  );
}

/**
 * Collects the errors of a page from the first call on, for a protocol that does not report them.
 * @returns the growing list
 */
export function collectErrors(): string[] {
  const holder = window as typeof window & { collectedErrors?: string[] };
  if (holder.collectedErrors) return holder.collectedErrors;
  const errors: string[] = [];
  holder.collectedErrors = errors;
  for (const level of ['error', 'warn'] as const) {
    // biome-ignore lint/suspicious/noConsole: the console of the page is what is watched
    const original = console[level].bind(console);
    console[level] = (...parts: unknown[]) => {
      errors.push(parts.map(String).join(' '));
      original(...parts);
    };
  }
  window.addEventListener('error', ({ message }) => errors.push(`uncaught: ${message}`));
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(`uncaught: ${reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    errors.push(`Content Security Policy: ${violatedDirective} blocks ${blockedURI}`),
  );
  return errors;
}

/** Names are compared without case and by Unicode compatibility. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

/** Addresses are compared without case: no provider in use distinguishes them by it. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** The mailbox of an address, without a plus tag. */
export function mailboxKey(email: string): string {
  return emailKey(email).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

const MAX_LENGTH = 32;

/**
 * Usernames to try for a new user of a sign-in provider, best first: the provider's name for them, then the first part
 * of their address, then the same with a number. `suffix` returns a number of four digits.
 */
export function* proposeUsernames(
  claims: { preferredUsername?: string | undefined; name?: string | undefined; email: string },
  suffix: () => number,
): Generator<string> {
  const sources = [claims.preferredUsername, claims.email.split('@')[0], claims.name];
  const names = [...new Set(sources.map(shape).filter((name) => name.length >= 2))];
  if (names.length === 0) names.push('reader');
  yield* names;
  const [first = 'reader'] = names;
  for (;;) yield `${first.slice(0, MAX_LENGTH - 5)}-${suffix()}`;
}

function shape(source: string | undefined): string {
  const [beforeAt = ''] = (source ?? '').normalize('NFKC').split('@', 1);
  const name = beforeAt.replace(/[^\p{L}\p{N}\p{M}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  let end = name.length;
  while (end > 0 && '-._'.includes(name.charAt(end - 1))) end--;
  return name.slice(0, Math.min(end, MAX_LENGTH));
}

import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, safe in addresses and cookies. It is a bearer token: only its `hashToken` is stored. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A token cannot be guessed, so a fast hash is enough to make a stolen table useless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

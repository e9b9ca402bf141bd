import { expect, it } from 'vitest';
import { createToken, hashToken } from './keyring.ts';

it('createToken: returns unique tokens that are safe in URLs', () => {
  const tokens = Array.from({ length: 1000 }, createToken);
  expect(new Set(tokens).size).toBe(1000);
  expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
  expect(hashToken(tokens[0] ?? '')).not.toContain(tokens[0]);
});

import { expect, it } from 'vitest';
import { createToken, hashToken, openSeal, sealText } from './token.ts';

const KEY = 'k'.repeat(32);

it('makes tokens that fit into addresses and never repeat', () => {
  const tokens = Array.from({ length: 1000 }, createToken);
  expect(new Set(tokens).size).toBe(1000);
  expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
  expect(hashToken(tokens[0] ?? '')).not.toContain(tokens[0]);
});

it('opens its own seals only, and only for their purpose', () => {
  const sealed = sealText(KEY, 'waitlist', 'nora@mail.example');
  expect(openSeal(KEY, 'waitlist', sealed)).toBe('nora@mail.example');
  expect(openSeal(KEY, 'something else', sealed)).toBeUndefined();
  expect(openSeal('x'.repeat(32), 'waitlist', sealed)).toBeUndefined();
  const [, signature] = sealed.split('.');
  const other = `${Buffer.from('emil@mail.example').toString('base64url')}.${signature}`;
  for (const forged of [other, '', '.', 'no-dot', `${sealed}x`]) {
    expect(openSeal(KEY, 'waitlist', forged), forged).toBeUndefined();
  }
});

import { expect, it } from 'vitest';
import { usernameSchema } from '#contract/account';
import { emailKey, proposeUsernames, usernameKey } from './username.ts';

function propose(claims: Parameters<typeof proposeUsernames>[0], count: number): string[] {
  const names: string[] = [];
  for (const name of proposeUsernames(claims, () => 1234)) {
    if (names.push(name) === count) break;
  }
  return names;
}

it.each([
  [
    { preferredUsername: 'nora', email: 'n.berg@mail.example', name: 'Nora Berg' },
    ['nora', 'n.berg', 'Nora-Berg', 'nora-1234'],
  ],
  [{ email: 'nora@mail.example' }, ['nora', 'nora-1234', 'nora-1234']],
  [{ email: '+++@mail.example', name: '山田 太郎' }, ['山田-太郎', '山田-太郎-1234']],
  [{ email: 'x@mail.example' }, ['reader', 'reader-1234']],
  [{ preferredUsername: 'nora@mail.example', email: 'nora@mail.example' }, ['nora', 'nora-1234']],
])('proposeUsernames: given %j, follows its claims', (claims, names) => {
  expect(propose(claims, names.length)).toEqual(names);
});

it('proposeUsernames: given any claims, returns names that can be registered', () => {
  const odd = ['a'.repeat(60), '  ..weird..  ', '<b>bold</b>', 'Ünïcödé', '___', '\u202Eevil', 'e\u0301'];
  for (const preferredUsername of odd) {
    for (const name of propose({ preferredUsername, email: 'someone@mail.example' }, 4)) {
      expect(usernameSchema.safeParse(name).success, name).toBe(true);
    }
  }
});

it('usernameKey: given another case or Unicode composition, is the same', () => {
  expect(usernameKey('ÉMILE')).toBe(usernameKey('e\u0301mile'));
  expect(emailKey(' Nora@Mail.Example ')).toBe('nora@mail.example');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { emailSchema, newPasswordSchema, usernameSchema } from './account.ts';
import { emailProblem, newPasswordProblem, proofProblem, usernameProblem } from './account-rules.ts';
import { codeSchema, recoveryCodeSchema } from './second-factor.ts';

interface Rule {
  schema: z.ZodType;
  problem: (typed: string) => string | null;
  typed: readonly string[];
  /** Characters for random texts that are almost valid. */
  letters: readonly string[];
}

const RULES: Record<string, Rule> = {
  'a username': {
    schema: usernameSchema,
    problem: usernameProblem,
    typed: ['', '  ', 'a', 'ada', ' ada ', '.ada', 'ada.', 'a@b', 'ﬁn', 'Ж1', 'a'.repeat(32), 'a'.repeat(33)],
    letters: ['a', 'ﬁ', '1', '.', '_', '-', ' ', '@', '\u0301'],
  },
  'an address': {
    schema: emailSchema,
    problem: emailProblem,
    typed: [
      '',
      ' ',
      'ada@example.org',
      ' ada@example.org ',
      'a..b@example.org',
      '.a@example.org',
      'a.@example.org',
      "o'hara@example.org",
      "ohara'@example.org",
      'a+b@sub.example.org',
      'ada@example',
      'ada@-example.org',
      'ada@exa_mple.org',
      'ada@example.o1',
      'ada@127.0.0.1',
      'ä@example.org',
      `${'a'.repeat(242)}@example.org`,
      `${'a'.repeat(243)}@example.org`,
    ],
    letters: ['a', 'b', '.', '@', '-', "'", '+', '_', '1', ' '],
  },
  'a new password': {
    schema: newPasswordSchema,
    problem: newPasswordProblem,
    typed: ['', 'short', 'six ch', '      ', 'a'.repeat(128), 'a'.repeat(129), '\ufb03'.repeat(2)],
    letters: ['a', '\ufb03', ' ', 'e\u0301'],
  },
  'a code': {
    schema: codeSchema,
    problem: (typed) => proofProblem('code', typed),
    typed: ['', '123456', ' 123 456 ', '12345', '1234567', '12345a', `123456${' '.repeat(45)}`],
    letters: ['1', '2', '3', ' ', 'a'],
  },
  'a recovery code': {
    schema: recoveryCodeSchema,
    problem: (typed) => proofProblem('recoveryCode', typed),
    typed: ['', 'abcd-efgh-jkmn-pqrs', 'ABCD EFGH JKMN OIL0', 'abcd', 'abcdefghjkmnpqru'],
    letters: ['a', 'B', '-', ' ', 'o', 'l', 'u', '7'],
  },
};

describe.each(Object.entries(RULES))('%s', (_, { schema, problem, typed, letters }) => {
  const refusal = (text: string) => schema.safeParse(text).error?.issues[0]?.message ?? null;

  test.each(typed.map((text) => [text]))('page and server agree on %j', (text) => {
    expect(problem(text)).toBe(refusal(text));
  });

  test('page and server agree on every input', () => {
    const nearly = fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map((all) => all.join(''));
    const any = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(fc.oneof(nearly, any), (text) => {
        expect(problem(text)).toBe(refusal(text));
      }),
    );
  });
});

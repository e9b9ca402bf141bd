import { expect, test } from 'vitest';
import { identifyLanguage } from './language-identifier.ts';

test('identifyLanguage: both Norwegian languages are one candidate', async () => {
  const text =
    'Regjeringen legger frem et forslag om at alle barn skal få gratis skolemat, og at kommunene skal få penger til det.';
  const found = await identifyLanguage(text);
  const codes = found.map(([code]) => code);
  expect(codes.filter((code) => code === 'nor')).toHaveLength(1);
  expect(new Set(codes).size).toBe(codes.length);
  expect(found[0]).toEqual(['nor', 1]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holds } from '../../../tests/support/properties.ts';
import { createApiKey, looksLikeApiKey } from './key.ts';

describe('a key', () => {
  it('starts with the prefix, is URL- and shell-safe, and unique', () => {
    const keys = Array.from({ length: 200 }, createApiKey);
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^glyph_live_[\dA-Za-z]{38}$/);
    expect(keys.every(looksLikeApiKey)).toBe(true);
  });

  it('with one changed character fails the checksum', async () => {
    const key = createApiKey();
    await holds(
      fc.asyncProperty(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.stringMatching(/^[\dA-Za-z_]$/),
        async (at, letter) => {
          fc.pre(key[at] !== letter);
          expect(looksLikeApiKey(key.slice(0, at) + letter + key.slice(at + 1))).toBe(false);
        },
      ),
      200,
    );
  });

  it('is not recognized by its prefix alone', async () => {
    await holds(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (rest) => {
        expect(looksLikeApiKey(`glyph_live_${rest}`)).toBe(false);
      }),
      100,
    );
  });
});

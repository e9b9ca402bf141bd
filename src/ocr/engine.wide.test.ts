import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_PICTURES, patched } from '../../tests/support/broken-pictures.ts';
import { bmp, FIXTURE_TEXT, fixture, textPicture } from '../../tests/support/pictures.ts';
import { createEngine } from './engine.ts';
import { OCR_ERRORS } from './errors.ts';

const REFUSALS: readonly string[] = [OCR_ERRORS.damaged, OCR_ERRORS.tooManyPixels, OCR_ERRORS.unsupported];

const engine = createEngine({
  maxPixels: 100_000_000,
  concurrency: 2,
  queueLimit: 50,
  premiumReserve: 0,
  timeoutMs: 20_000,
  languageDirs: [],
});

beforeAll(() => engine.ready());
afterAll(() => engine.close());

describe('recognize: broken input', () => {
  it.each(BROKEN_PICTURES)(
    '%s is refused as %s, and the same process reads the next valid picture',
    async (_, code, make) => {
      const pid = engine.status().pid;
      await expect(engine.recognize(await make())).rejects.toMatchObject({ code });
      expect((await engine.recognize(fixture('harbour-lights.png'))).text).toBe(FIXTURE_TEXT);
      expect(engine.status().pid).toBe(pid);
    },
  );

  it('with a few random bytes changed never ends the process', async () => {
    const pid = engine.status().pid;
    const sources = [
      await textPicture().jpeg().toBuffer(),
      fixture('harbour-lights.png'),
      await textPicture().gif().toBuffer(),
      await textPicture().tiff({ compression: 'lzw' }).toBuffer(),
      await textPicture().webp().toBuffer(),
      await bmp('rle8'),
      fixture('upright.heic'),
    ];
    const random = generator(7);
    const attempts = sources.flatMap((source) =>
      Array.from({ length: 5 }, () =>
        patched(source, (copy) => {
          for (let i = 0; i < 12; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
        }),
      ),
    );
    const outcomes = await Promise.allSettled(attempts.map((bytes) => engine.recognize(bytes)));
    const strange = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && !REFUSALS.includes(outcome.reason.code) ? [outcome.reason] : [],
    );
    expect(strange).toEqual([]);
    expect(engine.status().pid).toBe(pid);
  });
});

/** The same numbers from 0 to 1 in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

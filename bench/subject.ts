/** The engine as the benchmark runs it. */
import { createEngine } from '#ocr';

export type Subject = ReturnType<typeof createEngine>;

/** The product's settings, but with no picture refused or given up, and by itself no fresh process to hide what an old one holds. */
export function createSubject(
  languageDirs: string[] = [],
  { recycleAfter = Number.MAX_SAFE_INTEGER, thorough = false, create = createEngine } = {},
): Subject {
  const engine = create({
    maxPixels: 200e6,
    queueLimit: 1000,
    premiumReserve: 0,
    timeoutMs: 300_000,
    languageDirs,
    recycleAfter,
  });
  return { ...engine, recognise: (picture, options) => engine.recognise(picture, { thorough, ...options }) };
}

/** The engine under test. */
import { createEngine } from '#ocr';

export type Subject = ReturnType<typeof createEngine>;

/**
 * Creates an engine with the product's settings, but without limits of size and time, and by default without process
 * replacement, which would hide the memory of an old process.
 */
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
  return { ...engine, recognize: (picture, options) => engine.recognize(picture, { thorough, ...options }) };
}

import type { Extraction } from '#contract/extraction';
import { readingOfText } from '../../../workspace/plain-text-reading.ts';

/**
 * An answer that may hold the specified fields alone, as the workspace takes it: with the lines of its text, which have no place,
 * and the size of the picture.
 */
export async function wholeExtraction(extraction: Extraction, file: Blob): Promise<Extraction> {
  const { extractedText, lines, hidden, image, language } = extraction;
  if (image.width > 0) return extraction;
  const alone = readingOfText(extractedText, language);
  return {
    ...extraction,
    lines: lines.length + hidden.length > 0 ? lines : alone.lines,
    image: (await sizeOf(file)) ?? alone.image,
  };
}

/** Null for a picture that the browser cannot draw. */
async function sizeOf(file: Blob): Promise<Extraction['image'] | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height, rotation: 0 };
  } catch {
    return null;
  }
}

/** Labelled pages turned and tilted on the fly, to measure what a crooked picture costs. */
import sharp from 'sharp';

/** Degrees clockwise. Quarter turns are exact, the others resampled on white. */
export const TURNS = [90, 180, 270, 3, -3, 7, -7, 15, -15] as const;

/** A PNG of the picture turned by `degrees` clockwise, its canvas grown to hold it. */
export async function turned(file: string, degrees: number): Promise<Buffer> {
  return sharp(file)
    .flatten({ background: '#fff' })
    .rotate(degrees, { background: '#fff' })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

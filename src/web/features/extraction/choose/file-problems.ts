import { MAX_IMAGE_BYTES } from '#contract/product';
import { kindOf } from '../documents/file-kind.ts';
import { MAX_TIFF_PAGES, tiffDirectories } from '../documents/tiff-directories.ts';
import type { Rejection, Remedy } from '../tool/image-file.ts';
import { downscaleToUploadLimit, ScalingError } from '../upload/downscale.ts';

/* Explains refused files and repairs them. Loaded with the first chosen file. */

/** The explanation and remedy of a refused file, or a warning about an accepted one; null if there is none. */
export const inspect = async (file: File, refused: Rejection | null): Promise<Rejection | null> =>
  refused ? { ...refused, ...(await findRemedy(file)) } : findMismatch(file);

async function findRemedy(file: File): Promise<Pick<Rejection, 'about' | 'remedy'>> {
  try {
    const kind = await kindOf(file);
    if (kind?.is === 'other') {
      const about = `${kind.what}. ${kind.advice}`;
      return kind.hasPages ? { about, remedy: remedyOf('open-pages', file) } : { about };
    }
    const pages = kind?.type === 'image/tiff' ? await pagesOf(file) : 0;
    if (file.size > MAX_IMAGE_BYTES)
      return { remedy: remedyOf(pages > 0 ? 'open-pages' : 'scale-down', file) };
    if (!kind) return {};
    const despiteName = 'Despite its name, this is a';
    if (pages > 1)
      return { about: `${despiteName} TIFF of ${counted(pages)}.`, remedy: remedyOf('open-pages', file) };
    return {
      about: `${despiteName} ${kind.name} picture.`,
      remedy: remedyOf('take-as-picture', new File([file], file.name, { type: kind.type })),
    };
  } catch {
    return { about: 'It could not be opened. If it is a folder, choose a picture in it.' };
  }
}

/** The number of pages of a TIFF; 0 if none can be found. */
const pagesOf = async (file: File) => (await tiffDirectories(file)).length;
const counted = (pages: number) => (pages < MAX_TIFF_PAGES ? `${pages} pages` : `${pages} pages or more`);

const LABELS = {
  'scale-down': 'Scale it down',
  'take-as-picture': 'Take it as a picture',
  'open-pages': 'Open its pages as pictures',
} as const;

const remedyOf = (kind: Remedy['kind'], file: File): Remedy => ({
  kind,
  file,
  label: LABELS[kind],
  busyLabel: null,
});

/** The repaired file, or the reason of a failure. */
export async function applyRemedy({ kind, file }: Remedy): Promise<File | Pick<Rejection, 'about'>> {
  if (kind !== 'scale-down') return file;
  try {
    return await downscaleToUploadLimit(file);
  } catch (error) {
    if (error instanceof ScalingError) return { about: error.message };
    return { about: 'That did not work. Check your connection and try again.' };
  }
}

/**
 * A warning about an accepted file: one that is an image only by its name, or one with several pages. Null for an image
 * and for unknown bytes.
 */
async function findMismatch(file: File): Promise<Rejection | null> {
  const kind = await kindOf(file).catch(() => null);
  if (kind?.is === 'other') {
    const known = { title: kind.what, description: kind.advice };
    return kind.hasPages ? { ...known, remedy: remedyOf('open-pages', file) } : known;
  }
  const pages = kind?.type === 'image/tiff' ? await pagesOf(file).catch(() => 0) : 0;
  if (pages < 2) return null;
  return {
    title: `This TIFF has ${counted(pages)}`,
    description: 'Without opening its pages, only the first one is read.',
    remedy: remedyOf('open-pages', file),
  };
}

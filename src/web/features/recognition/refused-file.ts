import { MAX_IMAGE_BYTES } from '#contract/product';
import { kindOf } from './file-kind.ts';
import type { Rejection, Remedy } from './picture-file.ts';
import { ScalingError, scaledDown } from './picture-scaling.ts';

/** The way on with a file that was not taken; fetched when there is one. */

/** What can be said of a refused file, and what can be done with it. */
export async function wayOn(file: File): Promise<Pick<Rejection, 'about' | 'remedy'>> {
  try {
    const kind = await kindOf(file);
    if (kind?.is === 'other') return { about: `${kind.what}. ${kind.wayOn}` };
    if (file.size > MAX_IMAGE_BYTES) return { remedy: remedyOf('scale-down', file) };
    if (!kind) return {};
    return {
      about: `Its name does not say so, but this is a ${kind.name} picture.`,
      remedy: remedyOf('take-as-picture', new File([file], file.name, { type: kind.type })),
    };
  } catch {
    return { about: 'It could not be opened. If it is a folder, choose a picture out of it.' };
  }
}

const LABELS = { 'scale-down': 'Scale it down', 'take-as-picture': 'Take it as a picture' } as const;

const remedyOf = (kind: Remedy['kind'], file: File): Remedy => ({
  kind,
  file,
  label: LABELS[kind],
  underWay: null,
});

/** A file that can be chosen in place of the one that was refused, or else what is to be said. */
export async function remedied({ kind, file }: Remedy): Promise<File | Pick<Rejection, 'about'>> {
  if (kind === 'take-as-picture') return file;
  try {
    return await scaledDown(file);
  } catch (error) {
    if (error instanceof ScalingError) return { about: error.message };
    throw error;
  }
}

/** What a file is that is a picture by its name alone; null for a picture, and where its bytes tell nothing. */
export async function misnamed(file: File): Promise<Rejection | null> {
  const kind = await kindOf(file).catch(() => null);
  return kind?.is === 'other' ? { title: kind.what, description: kind.wayOn } : null;
}

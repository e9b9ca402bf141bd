import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '#contract/product';

/** What the file picker offers. Extensions are named because browsers give some formats no type at all. */
export const ACCEPTED_PICTURES = 'image/*,.heic,.heif,.tif,.tiff,.bmp';

/** Formats that browsers hand over without a type, or with one that says nothing. */
const UNTYPED_EXTENSIONS = new Set(['heic', 'heif', 'tif', 'tiff', 'bmp', 'avif']);
const MEANINGLESS_TYPES = new Set(['', 'application/octet-stream']);
const UNSHOWABLE = /^image\/(?:hei[cf](?:-sequence)?|tiff?)$/;

export interface Rejection {
  title: string;
  description: string;
}

export const NO_FILE: Rejection = {
  title: 'No file selected',
  description: 'Please select an image file first',
};
const INVALID_TYPE: Rejection = {
  title: 'Invalid file type',
  description: 'Please select an image file (PNG, JPG, WebP)',
};
const TOO_LARGE: Rejection = {
  title: 'File too large',
  description: `Please select an image smaller than ${MAX_IMAGE_MB}MB`,
};

type NamedFile = Pick<File, 'name' | 'type'>;

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** True for a file whose type, or lacking one its extension, is a picture's. */
function isPicture(file: NamedFile): boolean {
  if (file.type.startsWith('image/')) return true;
  return MEANINGLESS_TYPES.has(file.type) && UNTYPED_EXTENSIONS.has(extensionOf(file.name));
}

/** Why a file cannot be used, in words for a person; null when it can. What the bytes really are is for the server to judge. */
export function rejectionOf(file: NamedFile & Pick<File, 'size'>): Rejection | null {
  if (!isPicture(file)) return INVALID_TYPE;
  return file.size > MAX_IMAGE_BYTES ? TOO_LARGE : null;
}

/** True for formats that hardly any browser can draw, so that the server has to make the preview. */
export function needsServerPreview(file: NamedFile): boolean {
  return UNSHOWABLE.test(file.type) || ['heic', 'heif', 'tif', 'tiff'].includes(extensionOf(file.name));
}

/** Megabytes of 1024 × 1024 bytes with two decimals, such as `1.25 MB`. */
export const formatSize = (bytes: number) => `${(bytes / (1024 * 1024)).toFixed(2)} MB`;

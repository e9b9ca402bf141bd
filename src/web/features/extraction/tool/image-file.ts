import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '#contract/product';

/** The file picker's filter. Extensions are listed because browsers give some formats no type. */
export const ACCEPTED_FILES = 'image/*,.heic,.heif,.tif,.tiff,.bmp,.pdf';

/** Extensions of formats for which browsers give no type or a generic one. */
const UNTYPED_EXTENSIONS = new Set(['heic', 'heif', 'tif', 'tiff', 'bmp', 'avif']);
const MEANINGLESS_TYPES = new Set(['', 'application/octet-stream']);
const UNSHOWABLE = /^image\/(?:hei[cf](?:-sequence)?|tiff?)$/;

export interface Rejection {
  title: string;
  description: string;
  /** What the file is, and what the user can do. It is detected after the file was refused. */
  about?: string;
  remedy?: Remedy;
}

/** A button that makes a refused file usable. */
export interface Remedy {
  label: string;
  /** The button's label while the remedy runs; null otherwise. */
  busyLabel: string | null;
  kind: 'scale-down' | 'take-as-picture' | 'open-pages';
  file: File;
  /** The first page of a document to open, from 1; 1 by default. */
  from?: number;
}

export const NO_FILE: Rejection = {
  title: 'No file selected',
  description: 'Please select an image file first',
};
export const NO_CAMERA: Rejection = {
  title: 'The camera could not be opened',
  description: 'Check your connection and try again.',
};
export const PAGES_NOT_LOADED: Rejection = {
  title: 'Its pages could not be opened',
  description: 'The code that opens documents could not be loaded. Check your connection and try again.',
};
const INVALID_TYPE: Rejection = {
  title: 'Invalid file type',
  description: 'Please select an image file (PNG, JPG, WebP)',
};
const DRAWING: Rejection = {
  title: 'An SVG is a drawing, not a picture',
  description: INVALID_TYPE.description,
};
const TOO_LARGE: Rejection = {
  title: 'File too large',
  description: `Please select an image smaller than ${MAX_IMAGE_MB}MB`,
};

type NamedFile = Pick<File, 'name' | 'type'>;

const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Whether a file is a picture by its type, or by its extension if it has no type. */
function isPicture(file: NamedFile): boolean {
  if (file.type.startsWith('image/')) return true;
  return MEANINGLESS_TYPES.has(file.type) && UNTYPED_EXTENSIONS.has(extensionOf(file.name));
}

const isDrawing = ({ type, name }: NamedFile): boolean =>
  type === 'image/svg+xml' || (MEANINGLESS_TYPES.has(type) && extensionOf(name) === 'svg');

/** The message for a refused file; null if the file is accepted. The server checks the bytes. */
export function rejectionOf(file: NamedFile & Pick<File, 'size'>): Rejection | null {
  if (isDrawing(file)) return DRAWING;
  if (!isPicture(file)) return INVALID_TYPE;
  return file.size > MAX_IMAGE_BYTES ? TOO_LARGE : null;
}

export const isHeic = (file: NamedFile): boolean =>
  /^image\/hei[cf]/.test(file.type) || ['heic', 'heif'].includes(extensionOf(file.name));

/** Whether the server has to create the preview, because hardly any browser can draw the format. */
export function needsServerPreview(file: NamedFile): boolean {
  return UNSHOWABLE.test(file.type) || ['heic', 'heif', 'tif', 'tiff'].includes(extensionOf(file.name));
}

/** Bytes. Sending a smaller picture takes less time than scaling it down. */
export const MIN_SCALING_BYTES = 1024 * 1024;

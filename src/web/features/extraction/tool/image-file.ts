import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '#contract/product';

/** The file picker's filter. Extensions are listed because browsers give some formats no type. */
export const ACCEPTED_FILES = 'image/*,.heic,.heif,.tif,.tiff,.bmp,.pdf';

/** Formats that browsers hand over without a type, or with one that says nothing. */
const UNTYPED_EXTENSIONS = new Set(['heic', 'heif', 'tif', 'tiff', 'bmp', 'avif']);
const MEANINGLESS_TYPES = new Set(['', 'application/octet-stream']);
const UNSHOWABLE = /^image\/(?:hei[cf](?:-sequence)?|tiff?)$/;

export interface Rejection {
  title: string;
  description: string;
  /** What the file is instead, and what can be done; found out after it was refused. */
  about?: string;
  remedy?: Remedy;
}

/** What can be done with a file as it is; a press leads to a file that can be chosen. */
export interface Remedy {
  label: string;
  /** The button's label while it is being done; null otherwise. */
  underWay: string | null;
  kind: 'scale-down' | 'take-as-picture' | 'open-pages';
  file: File;
  /** Of a document, the first page to open; from 1, which is meant where it is left out. */
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
  description: 'What opens documents could not be loaded. Check your connection and try again.',
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

/** True for a file whose type, or lacking one its extension, is a picture's. */
function isPicture(file: NamedFile): boolean {
  if (file.type.startsWith('image/')) return true;
  return MEANINGLESS_TYPES.has(file.type) && UNTYPED_EXTENSIONS.has(extensionOf(file.name));
}

const isDrawing = ({ type, name }: NamedFile): boolean =>
  type === 'image/svg+xml' || (MEANINGLESS_TYPES.has(type) && extensionOf(name) === 'svg');

/** Why a file is refused, in words for a person; null if it is accepted. The server checks the bytes. */
export function rejectionOf(file: NamedFile & Pick<File, 'size'>): Rejection | null {
  if (isDrawing(file)) return DRAWING;
  if (!isPicture(file)) return INVALID_TYPE;
  return file.size > MAX_IMAGE_BYTES ? TOO_LARGE : null;
}

export const isHeic = (file: NamedFile): boolean =>
  /^image\/hei[cf]/.test(file.type) || ['heic', 'heif'].includes(extensionOf(file.name));

/** True for formats that hardly any browser can draw, so that the server has to make the preview. */
export function needsServerPreview(file: NamedFile): boolean {
  return UNSHOWABLE.test(file.type) || ['heic', 'heif', 'tif', 'tiff'].includes(extensionOf(file.name));
}

/** Below this a picture is on its way sooner than it is made smaller. Bytes. */
export const WORTH_SCALING = 1024 * 1024;

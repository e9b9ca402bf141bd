import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AnswerFormatId } from '#contract/answer-format';
import { extractionFormSchema, extractionJsonSchema, type extractionQuerySchema } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { isPdf } from '../answer-format.ts';
import {
  badField,
  emptyFile,
  imageTooLarge,
  noFile,
  notJson,
  pdfIsNoPicture,
  pdfNeedsPage,
  severalFiles,
  unknownUpload,
} from '../recognition.errors.ts';
import type { UploadSlot } from './intake.ts';
import { fileName, type MinimumRate, NAMELESS, readBytes, readMultipart } from './upload.ts';

/* Parses an upload with its options from a form, from JSON, or from the body itself. */

export interface PictureUpload {
  /** The image's bytes in their own ArrayBuffer, so that they can be transferred. */
  picture: Uint8Array<ArrayBuffer>;
  filter: boolean;
  languages: readonly string[];
  /** Page number in a document, from 1. */
  page: number | undefined;
  extractionId: string | undefined;
  format: AnswerFormatId | undefined;
  /** Name of the uploaded file, for result formats that contain it. */
  name: string;
}

interface UploadOptions {
  minimumRate: MinimumRate;
  slot: UploadSlot;
}

interface PictureOptions extends UploadOptions {
  /** Options of the query, overridden by those of the body. */
  query: z.output<typeof extractionQuerySchema>;
  /** Called as soon as the id is known, possibly before the image has arrived. */
  onExtractionId(id: string): void;
}

/** Content types that Fastify leaves to `readPictureUpload`, which also reads forms. */
export const PICTURE_BODIES = ['application/json', 'application/pdf', /^image\/[\w.+*-]+$/];

type Wishes = Partial<Omit<PictureUpload, 'picture' | 'name'>>;
interface Sent {
  picture: Uint8Array<ArrayBuffer> | undefined;
  name: string | undefined;
  wishes: Wishes;
}

const { file: _file, ...FIELDS } = extractionFormSchema.shape;
const isField = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/** Base64 of the largest image with line breaks, and the fields around it. */
const JSON_BYTES = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) * 1.05 + 64 * 1024;

/**
 * Reads an image sent as a form, in JSON, or as the body itself.
 * @throws {AppError}
 */
export async function readPictureUpload(
  request: FastifyRequest,
  options: PictureOptions,
): Promise<PictureUpload> {
  const { query, onExtractionId } = options;
  const given = wishesOf(query);
  if (given.extractionId !== undefined) onExtractionId(given.extractionId);
  const { picture, name, wishes } = await readSent(request, options);
  const wished = { ...given, ...wishes };
  const { filter = true, languages = [BUILT_IN_LANGUAGE], page, extractionId, format } = wished;
  if (!picture) throw noFile();
  if (picture.length === 0) throw emptyFile();
  if (page === undefined && isPdf(picture)) throw pdfNeedsPage();
  return { picture, name: fileName(name), filter, languages, page, extractionId, format };
}

/** Reads a form and ignores all fields but the image. @throws {AppError} */
export async function readPictureForm(
  request: FastifyRequest,
  options: UploadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { picture } = await readForm(request, options, () => {});
  if (!picture) throw noFile();
  if (picture.length === 0) throw emptyFile();
  if (isPdf(picture)) throw pdfIsNoPicture();
  return picture;
}

function readSent(request: FastifyRequest, options: PictureOptions): Promise<Sent> {
  if (request.isMultipart()) return readForm(request, options, options.onExtractionId);
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() === 'application/json') return readJson(request, options);
  if (type.trim() === 'application/pdf' || type.startsWith('image/')) return readBody(request, options);
  throw unknownUpload();
}

/** Reads fields as they arrive, so that progress can be watched during the upload. */
async function readForm(
  request: FastifyRequest,
  { minimumRate, slot }: UploadOptions,
  onExtractionId: (id: string) => void,
): Promise<Sent> {
  const sent: Sent = { picture: undefined, name: undefined, wishes: {} };
  await readMultipart(
    request,
    {
      minimumRate,
      slot,
      most: { files: 1, bytes: MAX_IMAGE_BYTES },
      tooLarge: imageTooLarge,
      tooMany: severalFiles,
    },
    {
      onFile({ name, bytes }) {
        sent.name = name;
        sent.picture = bytes;
      },
      onField(field, value) {
        if (!isField(field)) return;
        const read = FIELDS[field].safeParse(value);
        if (!read.success) throw badField(field);
        const wishes = wishesOf({ [field]: read.data });
        if (wishes.extractionId !== undefined) onExtractionId(wishes.extractionId);
        sent.wishes = { ...sent.wishes, ...wishes };
      },
    },
  );
  return sent;
}

async function readJson(
  request: FastifyRequest,
  { onExtractionId, ...options }: PictureOptions,
): Promise<Sent> {
  const bytes = await readBytes(request, { ...options, most: JSON_BYTES, tooLarge: imageTooLarge });
  const read = extractionJsonSchema.safeParse(parsed(bytes));
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw field === 'image' || field === '' ? noFile() : badField(field);
  }
  const { image, name, useFiltering, languages, page, extractionId, format } = read.data;
  if (extractionId !== undefined) onExtractionId(extractionId);
  const picture = fromBase64(image);
  if (picture.length > MAX_IMAGE_BYTES) throw imageTooLarge();
  const wishes = withoutGaps({ filter: useFiltering, languages, page, extractionId, format });
  return { picture, name, wishes };
}

async function readBody(request: FastifyRequest, options: UploadOptions): Promise<Sent> {
  const most = { most: MAX_IMAGE_BYTES, tooLarge: imageTooLarge };
  return { picture: await readBytes(request, { ...options, ...most }), name: NAMELESS, wishes: {} };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw notJson(error);
  }
}

/** @throws {AppError} for invalid Base64, which Node would ignore */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bare = text.replace(/^data:[^,]{0,200},/, '').replaceAll(/\s/g, '');
  const letters = bare.replace(/={1,2}$/, '');
  if (!/^[\w+/-]*$/.test(letters)) throw badField('image');
  return new Uint8Array(Buffer.from(letters, 'base64'));
}

function wishesOf(fields: z.output<typeof extractionQuerySchema>): Wishes {
  const { useFiltering, languages, page, extractionId, format } = fields;
  return withoutGaps({
    filter: useFiltering === undefined ? undefined : useFiltering === 'true',
    languages,
    page: page === undefined ? undefined : Number(page),
    extractionId,
    format,
  });
}

const withoutGaps = (wishes: { [Name in keyof Wishes]: Wishes[Name] | undefined }): Wishes =>
  Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));

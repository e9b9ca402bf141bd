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
  pdfNeedsPage,
  pdfNotAccepted,
  severalFiles,
  unknownUpload,
} from '../recognition.errors.ts';
import { DEFAULT_NAME, fileName, type MinimumRate, readBytes, readMultipart } from './upload.ts';
import type { UploadSlot } from './upload-limiter.ts';

/* x */

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

type UploadFields = Partial<Omit<PictureUpload, 'picture' | 'name'>>;
interface ParsedUpload {
  picture: Uint8Array<ArrayBuffer> | undefined;
  name: string | undefined;
  fields: UploadFields;
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
  const queryFields = toFields(query);
  if (queryFields.extractionId !== undefined) onExtractionId(queryFields.extractionId);
  const { picture, name, fields } = await parseUpload(request, options);
  const merged = { ...queryFields, ...fields };
  const { filter = true, languages = [BUILT_IN_LANGUAGE], page, extractionId, format } = merged;
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
  if (isPdf(picture)) throw pdfNotAccepted();
  return picture;
}

function parseUpload(request: FastifyRequest, options: PictureOptions): Promise<ParsedUpload> {
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
): Promise<ParsedUpload> {
  const sent: ParsedUpload = { picture: undefined, name: undefined, fields: {} };
  await readMultipart(
    request,
    {
      minimumRate,
      slot,
      limits: { files: 1, bytes: MAX_IMAGE_BYTES },
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
        const fields = toFields({ [field]: read.data });
        if (fields.extractionId !== undefined) onExtractionId(fields.extractionId);
        sent.fields = { ...sent.fields, ...fields };
      },
    },
  );
  return sent;
}

async function readJson(
  request: FastifyRequest,
  { onExtractionId, ...options }: PictureOptions,
): Promise<ParsedUpload> {
  const bytes = await readBytes(request, { ...options, maxBytes: JSON_BYTES, tooLarge: imageTooLarge });
  const read = extractionJsonSchema.safeParse(parseJson(bytes));
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw field === 'image' || field === '' ? noFile() : badField(field);
  }
  const { image, name, useFiltering, languages, page, extractionId, format } = read.data;
  if (extractionId !== undefined) onExtractionId(extractionId);
  const picture = fromBase64(image);
  if (picture.length > MAX_IMAGE_BYTES) throw imageTooLarge();
  const fields = withoutUndefined({ filter: useFiltering, languages, page, extractionId, format });
  return { picture, name, fields };
}

async function readBody(request: FastifyRequest, options: UploadOptions): Promise<ParsedUpload> {
  const limits = { maxBytes: MAX_IMAGE_BYTES, tooLarge: imageTooLarge };
  return { picture: await readBytes(request, { ...options, ...limits }), name: DEFAULT_NAME, fields: {} };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw notJson(error);
  }
}

/** @throws {AppError} for invalid Base64, which Node would ignore */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replace(/^data:[^,]{0,200},/, '').replaceAll(/\s/g, '');
  const digits = base64.replace(/={1,2}$/, '');
  if (!/^[\w+/-]*$/.test(digits)) throw badField('image');
  return new Uint8Array(Buffer.from(digits, 'base64'));
}

function toFields(fields: z.output<typeof extractionQuerySchema>): UploadFields {
  const { useFiltering, languages, page, extractionId, format } = fields;
  return withoutUndefined({
    filter: useFiltering === undefined ? undefined : useFiltering === 'true',
    languages,
    page: page === undefined ? undefined : Number(page),
    extractionId,
    format,
  });
}

const withoutUndefined = (
  fields: { [Name in keyof UploadFields]: UploadFields[Name] | undefined },
): UploadFields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

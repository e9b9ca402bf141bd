import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerFormatId, answerFormatSchema } from '#contract/answer-format';
import type { extractionFormSchema } from '#contract/extraction';
import { BUILT_IN_LANGUAGE, languagesFieldSchema } from '#contract/languages';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { extractionIdSchema } from '#contract/progress';
import { AppError } from '../../http/errors.ts';
import {
  badField,
  badForm,
  emptyFile,
  imageTooLarge,
  noFile,
  notAForm,
  pdfIsNoPicture,
  severalFiles,
  uploadTooSlow,
} from '../recognition.errors.ts';
import type { UploadSlot } from './intake.ts';
import type { UploadTurn } from './upload-turns.ts';

export interface Upload {
  /** The picture's bytes in memory of their own, fit to be handed over. */
  picture: Uint8Array<ArrayBuffer>;
  filter: boolean;
  languages: readonly string[];
  extractionId: string | undefined;
  format: AnswerFormatId | undefined;
  /** Of the picture's file, for files that name it. */
  name: string;
}

const FIELDS = {
  filtering: 'useFiltering',
  languages: 'languages',
  extractionId: 'extractionId',
  format: 'format',
} as const satisfies Record<string, keyof typeof extractionFormSchema.shape>;

const isPdf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-';

/** The form around the picture: names, boundaries and unused fields. */
const FORM_BYTES = 256 * 1024;
const FILE_FIELD = 'file' satisfies keyof typeof extractionFormSchema.shape;
/** Files that a form may have beside those. */
const OTHER_FILES = 10;
const FIELD_BYTES = 1024;
const LONGEST_NAME = 200;
const NAMELESS = 'picture';

/** A client that sends more than this after a refusal is cut off. */
const LEFTOVER_BYTES = 32 * 1024 * 1024;

/** What the streams of the form's parser hold before they are read. */
const UNDER_WAY_BYTES = 256 * 1024;

/** How slowly an upload may come. There is no limit on the whole: a large picture on a slow line takes its time. */
export interface Pace {
  bytesPerSecond: number;
  /** The window in which so many bytes must arrive, repeatedly. */
  measuredOverMs: number;
}

/** The longest time of an upload of so many bytes that is not cut off; of a picture by default. */
export function longestUploadMs({ bytesPerSecond, measuredOverMs }: Pace, bytes = MAX_IMAGE_BYTES): number {
  return ((bytes + FORM_BYTES) / bytesPerSecond) * 1000 + 2 * measuredOverMs;
}

interface UploadOptions {
  pace: Pace;
  slot: UploadSlot;
  /** Called as soon as the form has named the id, which may be before the picture has arrived. */
  onExtractionId?: (id: string) => void;
}

/**
 * Reads the form of an upload: exactly one file and the known fields; others are ignored. Stops reading at the first
 * byte over the limit.
 * @throws {AppError}
 */
export async function readUpload(
  request: FastifyRequest,
  { pace, slot, onExtractionId }: UploadOptions,
): Promise<Upload> {
  let picture: Uint8Array<ArrayBuffer> | undefined;
  let filter = true;
  let languages: readonly string[] = [BUILT_IN_LANGUAGE];
  let extractionId: string | undefined;
  let format: AnswerFormatId | undefined;
  let name = NAMELESS;
  await readMultipart(
    request,
    {
      pace,
      slot,
      most: { files: 1, bytes: MAX_IMAGE_BYTES },
      tooLarge: imageTooLarge,
      tooMany: severalFiles,
    },
    {
      onFile(file) {
        name = file.name;
        picture = file.bytes;
      },
      onField(field, value) {
        if (field === FIELDS.filtering) {
          if (value !== 'true' && value !== 'false') throw badField(FIELDS.filtering);
          filter = value === 'true';
        } else if (field === FIELDS.languages) {
          const codes = languagesFieldSchema.safeParse(value);
          if (!codes.success) throw badField(FIELDS.languages);
          languages = codes.data;
        } else if (field === FIELDS.extractionId) {
          const id = extractionIdSchema.safeParse(value);
          if (!id.success) throw badField(FIELDS.extractionId);
          extractionId = id.data;
          onExtractionId?.(id.data);
        } else if (field === FIELDS.format) {
          const wanted = answerFormatSchema.safeParse(value);
          if (!wanted.success) throw badField(FIELDS.format);
          format = wanted.data;
        }
      },
    },
  );
  if (!picture) throw noFile();
  if (picture.length === 0) throw emptyFile();
  if (isPdf(picture)) throw pdfIsNoPicture();
  return { picture, filter, languages, extractionId, format, name };
}

interface MultipartOptions {
  pace: Pace;
  slot: UploadSlot;
  /** Files, and bytes of all that the form holds together. */
  most: { files: number; bytes: number };
  tooLarge: () => AppError;
  tooMany: () => AppError;
}

interface SentFile {
  /** One line, and not without end. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Parts {
  onFile(file: SentFile): void;
  onField(name: string, value: unknown): void;
}

/**
 * Reads a form of files part by part, in its turn among all uploads and at the required pace. Stops reading at the
 * first byte over the limit.
 * @throws {AppError}
 */
export async function readMultipart(
  request: FastifyRequest,
  options: MultipartOptions,
  parts: Parts,
): Promise<void> {
  const { pace, slot, most, tooLarge } = options;
  if (!request.isMultipart()) throw notAForm();
  const { raw } = request;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most.bytes + FORM_BYTES) throw tooLarge();
  let onTooSlow = () => {};
  const tooSlow = new Promise<never>((_resolve, reject) => {
    onTooSlow = () => reject(uploadTooSlow());
  });
  const stopWatching = watchPace(raw, pace, slot.turn, onTooSlow);
  try {
    await Promise.race([readParts(request, options, parts), tooSlow]);
  } catch (error) {
    throw error instanceof AppError ? error : translate(error);
  } finally {
    stopWatching();
  }
}

/**
 * Drains the rest of a refused upload: a client whose connection is cut never sees the answer. Resolves at its end, or
 * when the connection is gone.
 */
export async function turnAway(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { pace, turn }: { pace: Pace; turn: UploadTurn },
): Promise<void> {
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  // A client that keeps trickling is cut off.
  const stopWatching = watchPace(raw, pace, turn, () => raw.destroy());
  let left = LEFTOVER_BYTES;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) return void raw.destroy();
    raw.pause();
    void turn.next(chunk.length).then(() => raw.resume());
  });
  reply.raw.on('error', () => raw.destroy());
  await new Promise<void>((resolve) => {
    raw.once('end', resolve).once('close', resolve).resume();
  });
  stopWatching();
}

function watchPace(
  { socket }: IncomingMessage,
  pace: Pace,
  turn: UploadTurn,
  onTooSlow: () => void,
): () => void {
  const least = (pace.bytesPerSecond * pace.measuredOverMs) / 1000;
  let seen = socket.bytesRead;
  const look = () => {
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    const heldUp = turn.wasHeldUp();
    if (arrived < least && !heldUp) onTooSlow();
  };
  // A server that was busy itself reads first what has long arrived.
  const timer = setInterval(() => setImmediate(look), pace.measuredOverMs).unref();
  return () => clearInterval(timer);
}

async function readParts(
  request: FastifyRequest,
  { slot, most, tooLarge, tooMany }: MultipartOptions,
  { onFile, onField }: Parts,
): Promise<void> {
  const parts = request.parts({
    limits: {
      // Counted below, over all files: the parser counts each for itself and reads one that is too large to its end.
      fileSize: Number.POSITIVE_INFINITY,
      files: most.files + OTHER_FILES,
      fields: 20,
      parts: most.files + OTHER_FILES + 20,
      fieldSize: FIELD_BYTES,
      fieldNameSize: 100,
      headerPairs: 50,
    },
  });
  await slot.turn.next(UNDER_WAY_BYTES);
  // The parser would wait for the end of what has broken off before it looked.
  if (request.raw.destroyed) throw badForm('the connection has ended');
  let files = 0;
  let left = most.bytes;
  for await (const part of parts) {
    if (part.type === 'field') {
      onField(part.fieldname, part.value);
      continue;
    }
    const isWanted = part.fieldname === FILE_FIELD;
    if (isWanted) files += 1;
    if (files > most.files) throw tooMany();
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      await slot.turn.next(chunk.length);
      left -= chunk.length;
      if (left < 0) throw tooLarge();
      if (!isWanted) continue;
      slot.keep(chunk.length);
      chunks.push(chunk);
    }
    if (isWanted) onFile({ name: nameOf(part), bytes: joined(chunks) });
  }
}

/** Characters of a file's name that may appear in another file. */
const nameOf = ({ filename }: MultipartFile): string =>
  filename
    ?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, LONGEST_NAME)
    .trim() || NAMELESS;

function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The form parser's own complaints: a form that no page sends. */
function translate(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return notAForm();
  return badForm(error instanceof Error ? error.message : 'the form could not be read');
}

import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { extractionFormSchema } from '#contract/extraction';
import { MAX_IMAGE_BYTES } from '#contract/product';
import { AppError } from '../../http/errors.ts';
import { badForm, notAForm, uploadTooSlow } from '../recognition.errors.ts';
import type { UploadSlot } from './upload-limiter.ts';
import type { ScheduledUpload } from './upload-scheduler.ts';

/** Bytes of the form around the image: names, boundaries and unused fields. */
const FORM_BYTES = 256 * 1024;
const FILE_FIELD = 'file' satisfies keyof typeof extractionFormSchema.shape;
/** Further files that a form may contain. */
const OTHER_FILES = 10;
const FIELD_BYTES = 1024;
const MAX_NAME_LENGTH = 200;
/** Default name of a file without one. */
export const DEFAULT_NAME = 'picture';

/** The connection is closed if a client sends more than this after a rejection. */
const MAX_DRAINED_BYTES = 32 * 1024 * 1024;

/** Buffer size of the form parser's streams. */
const PARSER_BUFFER_BYTES = 256 * 1024;

/** Minimum rate of an upload. Its total time is not limited, because a large image takes long on a slow connection. */
export interface MinimumRate {
  bytesPerSecond: number;
  /** The window in which the minimum number of bytes must arrive. */
  windowMs: number;
}

/** The longest possible time of an upload of `bytes` at the minimum rate; of the largest image by default. */
export function longestUploadMs({ bytesPerSecond, windowMs }: MinimumRate, bytes = MAX_IMAGE_BYTES): number {
  return ((bytes + FORM_BYTES) / bytesPerSecond) * 1000 + 2 * windowMs;
}

interface MultipartOptions {
  minimumRate: MinimumRate;
  slot: UploadSlot;
  /** Number of files, and bytes of the whole form. */
  limits: { files: number; bytes: number };
  tooLarge: () => AppError;
  tooMany: () => AppError;
}

interface SentFile {
  /** One line of limited length. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface PartHandlers {
  onFile(file: SentFile): void;
  onField(name: string, value: unknown): void;
}

/**
 * Reads a form of files part by part, scheduled with all uploads and at the minimum rate. Stops at the first byte over
 * the limit.
 * @throws {AppError}
 */
export async function readMultipart(
  request: FastifyRequest,
  options: MultipartOptions,
  parts: PartHandlers,
): Promise<void> {
  const { limits, tooLarge } = options;
  if (!request.isMultipart()) throw notAForm();
  if (declaredLength(request) > limits.bytes + FORM_BYTES) throw tooLarge();
  await withMinimumRate(request, options, () => readParts(request, options, parts));
}

/**
 * Reads a body, scheduled with all uploads and at the minimum rate. Stops at the first byte over the limit.
 * @throws {AppError}
 */
export async function readBytes(
  request: FastifyRequest,
  options: Pick<MultipartOptions, 'minimumRate' | 'slot' | 'tooLarge'> & { maxBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { slot, maxBytes, tooLarge } = options;
  if (declaredLength(request) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let remaining = maxBytes;
  await withMinimumRate(request, options, async () => {
    await slot.turn.next(0);
    if (request.raw.destroyed) throw badForm('the connection has ended');
    // The connection must stay open after the loop, so that a rejection reaches the client.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await slot.turn.next(chunk.length);
      remaining -= chunk.length;
      if (remaining < 0) throw tooLarge();
      slot.reserveMemory(chunk.length);
      chunks.push(chunk);
    }
  });
  return concat(chunks);
}

const declaredLength = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

async function withMinimumRate(
  { raw }: FastifyRequest,
  { minimumRate, slot }: Pick<MultipartOptions, 'minimumRate' | 'slot'>,
  read: () => Promise<void>,
): Promise<void> {
  let onTooSlow = () => {};
  const tooSlow = new Promise<never>((_resolve, reject) => {
    onTooSlow = () => reject(uploadTooSlow());
  });
  const stopWatching = watchRate(raw, minimumRate, slot.turn, onTooSlow);
  try {
    await Promise.race([read(), tooSlow]);
  } catch (error) {
    throw error instanceof AppError ? error : toFormError(error);
  } finally {
    stopWatching();
  }
}

/**
 * Drains the rest of a rejected upload, because a client whose connection is reset does not receive the response. Resolves
 * at the end of the upload, or when the connection closes.
 */
export async function drainUpload(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { minimumRate, turn }: { minimumRate: MinimumRate; turn: ScheduledUpload },
): Promise<void> {
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  // Closes the connection of a client that sends too slowly.
  const stopWatching = watchRate(raw, minimumRate, turn, () => raw.destroy());
  let remaining = MAX_DRAINED_BYTES;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0) return void raw.destroy();
    raw.pause();
    void turn.next(chunk.length).then(() => raw.resume());
  });
  reply.raw.on('error', () => raw.destroy());
  await new Promise<void>((resolve) => {
    raw.once('end', resolve).once('close', resolve).resume();
  });
  stopWatching();
}

function watchRate(
  { socket }: IncomingMessage,
  minimumRate: MinimumRate,
  turn: ScheduledUpload,
  onTooSlow: () => void,
): () => void {
  const minBytes = (minimumRate.bytesPerSecond * minimumRate.windowMs) / 1000;
  let bytesBefore = socket.bytesRead;
  const checkRate = () => {
    const arrived = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const delayed = turn.wasDelayed();
    if (arrived < minBytes && !delayed) onTooSlow();
  };
  // After a busy time, the server first reads the bytes that have already arrived.
  const timer = setInterval(() => setImmediate(checkRate), minimumRate.windowMs).unref();
  return () => clearInterval(timer);
}

async function readParts(
  request: FastifyRequest,
  { slot, limits, tooLarge, tooMany }: MultipartOptions,
  { onFile, onField }: PartHandlers,
): Promise<void> {
  const parts = request.parts({
    limits: {
      // Counted below over all files, because the parser counts per file and reads a file to its end even if it is too large.
      fileSize: Number.POSITIVE_INFINITY,
      files: limits.files + OTHER_FILES,
      fields: 20,
      parts: limits.files + OTHER_FILES + 20,
      fieldSize: FIELD_BYTES,
      fieldNameSize: 100,
      headerPairs: 50,
    },
  });
  await slot.turn.next(PARSER_BUFFER_BYTES);
  // With a broken stream, the parser would wait for its end.
  if (request.raw.destroyed) throw badForm('the connection has ended');
  let files = 0;
  let remaining = limits.bytes;
  for await (const part of parts) {
    if (part.type === 'field') {
      onField(part.fieldname, part.value);
      continue;
    }
    const isWanted = part.fieldname === FILE_FIELD;
    if (isWanted) files += 1;
    if (files > limits.files) throw tooMany();
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      await slot.turn.next(chunk.length);
      remaining -= chunk.length;
      if (remaining < 0) throw tooLarge();
      if (!isWanted) continue;
      slot.reserveMemory(chunk.length);
      chunks.push(chunk);
    }
    if (isWanted) onFile({ name: nameOf(part), bytes: concat(chunks) });
  }
}

const nameOf = ({ filename }: MultipartFile): string => fileName(filename);

/** Characters of a file name that may be used in result files. */
export const fileName = (name: string | undefined): string =>
  name
    ?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, MAX_NAME_LENGTH)
    .trim() || DEFAULT_NAME;

function concat(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Errors of the form parser: an invalid form. */
function toFormError(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return notAForm();
  return badForm(error instanceof Error ? error.message : 'the form could not be read');
}

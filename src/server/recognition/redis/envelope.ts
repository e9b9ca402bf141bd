import { z } from 'zod';
import { type Failure, OCR_ERRORS, type PageList, type Recognition } from '#ocr';

/** A worker's result, as stored in Redis until the requesting process fetches it. */
export interface Envelope {
  outcome: { text: Recognition } | { pages: PageList } | { drawing: Uint8Array } | { failure: Failure };
  workedMs: number;
}

const LENGTH_BYTES = 4;

/** Checks only the outer shape of a text; its words are validated with the response. */
const recognitionSchema = z.looseObject({
  text: z.string(),
  confidence: z.number(),
  lines: z.array(z.unknown()),
  hidden: z.array(z.unknown()),
  unread: z.array(z.unknown()),
  image: z.looseObject({ width: z.number(), height: z.number(), rotation: z.number() }),
  language: z.string(),
  notices: z.array(z.unknown()),
  durationMs: z.number(),
});
const pageListSchema = z.object({
  unit: z.enum(['point', 'pixel']),
  pages: z.array(z.object({ width: z.number(), height: z.number(), hasText: z.boolean() })).min(1),
});
const headSchema = z.object({
  workedMs: z.number(),
  outcome: z
    .union([
      z.object({ text: z.custom<Recognition>((value) => recognitionSchema.safeParse(value).success) }),
      z.object({ pages: pageListSchema }),
      z.object({ failure: z.object({ code: z.enum(OCR_ERRORS), message: z.string() }) }),
    ])
    .optional(),
});

export function encodeEnvelope({ outcome, workedMs }: Envelope): Buffer {
  const drawing = 'drawing' in outcome ? outcome.drawing : undefined;
  const head = Buffer.from(JSON.stringify({ workedMs, outcome: drawing ? undefined : outcome }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, drawing ?? Buffer.alloc(0)]);
}

/** Undefined for bytes that `encodeEnvelope` did not write. */
export function decodeEnvelope(bytes: Buffer): Envelope | undefined {
  const head = readHead(bytes);
  if (!head) return undefined;
  const { workedMs, outcome } = head;
  // Copied, because a small Buffer is a view of Node's shared pool.
  return { workedMs, outcome: outcome ?? { drawing: new Uint8Array(bytes.subarray(head.ends)) } };
}

function readHead(bytes: Buffer) {
  try {
    const ends = LENGTH_BYTES + bytes.readUInt32BE(0);
    return { ends, ...headSchema.parse(JSON.parse(bytes.toString('utf8', LENGTH_BYTES, ends))) };
  } catch {
    return undefined;
  }
}

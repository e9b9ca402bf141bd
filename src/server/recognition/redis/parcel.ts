import type { Failure, Recognition } from '#ocr';

/** What a worker found out, as it lies in Redis until the process that asked has taken it. */
export interface Parcel {
  outcome: { text: Recognition } | { drawing: Uint8Array } | { failure: Failure };
  /** Milliseconds that were worked on it. */
  workedMs: number;
}

/** The length of what is JSON, that, and a drawing's bytes. */
const LENGTH_BYTES = 4;

export function wrap({ outcome, workedMs }: Parcel): Buffer {
  const drawing = 'drawing' in outcome ? outcome.drawing : undefined;
  const head = Buffer.from(JSON.stringify({ workedMs, outcome: drawing ? undefined : outcome }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, drawing ?? Buffer.alloc(0)]);
}

export function unwrap(bytes: Buffer): Parcel {
  const headEnds = LENGTH_BYTES + bytes.readUInt32BE(0);
  const head: { workedMs: number; outcome?: Parcel['outcome'] } = JSON.parse(
    bytes.toString('utf8', LENGTH_BYTES, headEnds),
  );
  // A copy, because a small buffer is a part of a larger one that others share.
  return {
    workedMs: head.workedMs,
    outcome: head.outcome ?? { drawing: new Uint8Array(bytes.subarray(headEnds)) },
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { exemptFromBodyDeadline } from '../../http/body-deadline.ts';
import { callerId } from '../../http/caller.ts';
import { AppError } from '../../http/errors.ts';
import { badIdempotencyKey } from '../recognition.errors.ts';
import type { Intake, UploadSlot } from './intake.ts';
import { type MinimumRate, turnAway } from './upload.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

export type CountedUpload = ReturnType<typeof createCountedUpload>;

interface CountedUploadOptions {
  /** Groups addresses, because an IPv6 client has many. */
  addressOf: (request: FastifyRequest) => string;
  intake: Intake;
  minimumRate: MinimumRate;
}

/** Counts an upload from its first byte to its answer, failures included. */
export function createCountedUpload({ addressOf, intake, minimumRate }: CountedUploadOptions) {
  return async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (slot: UploadSlot, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    exemptFromBodyDeadline(request.raw);
    // Must be before the first await, or a client that leaves meanwhile is missed.
    const signal = abortedWhenClientLeaves(reply);
    try {
      const slot = await intake.openSlot(callerId(request), addressOf(request));
      try {
        return await work(slot, signal);
      } finally {
        slot.release();
      }
    } catch (error) {
      const over = turnAway(request, reply, { minimumRate, turn: intake.lastTurn() });
      // If the connection closed with the answer, a client that is still sending would see a reset and no answer.
      const isOver = error instanceof AppError && error.details.closeConnection;
      if (!isOver && !reply.raw.shouldKeepAlive) await over;
      throw error;
    }
  };
}

export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw badIdempotencyKey();
  return key;
}

export function abortedWhenClientLeaves(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

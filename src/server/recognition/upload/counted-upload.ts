import type { FastifyReply, FastifyRequest } from 'fastify';
import { exemptFromBodyDeadline } from '../../http/body-deadline.ts';
import { callerId } from '../../http/caller.ts';
import { AppError } from '../../http/errors.ts';
import { badIdempotencyKey } from '../recognition.errors.ts';
import { drainUpload, type MinimumRate } from './upload.ts';
import type { UploadLimiter, UploadSlot } from './upload-limiter.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

export type CountedUpload = ReturnType<typeof createCountedUpload>;

interface CountedUploadOptions {
  /** Groups addresses, because an IPv6 client has many. */
  ipHashOf: (request: FastifyRequest) => string;
  uploadLimiter: UploadLimiter;
  minimumRate: MinimumRate;
}

/** Counts an upload from its first byte to its response, failures included. */
export function createCountedUpload({ ipHashOf, uploadLimiter, minimumRate }: CountedUploadOptions) {
  return async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (slot: UploadSlot, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    exemptFromBodyDeadline(request.raw);
    // Created before the first await, or a client that disconnects meanwhile would be missed.
    const signal = abortedWhenClientLeaves(reply);
    try {
      const slot = await uploadLimiter.openSlot(callerId(request), ipHashOf(request));
      try {
        return await work(slot, signal);
      } finally {
        slot.release();
      }
    } catch (error) {
      const drained = drainUpload(request, reply, { minimumRate, turn: uploadLimiter.drainTurn() });
      // If the connection closed together with the response, a client that is still sending would get a reset instead.
      const isOver = error instanceof AppError && error.details.closeConnection;
      if (!isOver && !reply.raw.shouldKeepAlive) await drained;
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

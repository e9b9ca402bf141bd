/**
 * A worker as a separate process that tests kill or watch. Everything is real except for the engine, which reports each
 * picture to the test and finishes when the test releases it. A picture consists of the text that is "read" in it. The
 * environment contains the Redis URL.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OCR_ERRORS, OcrError, type OcrErrorCode } from '#ocr';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis } from '../../src/server/platform/redis.ts';
import { startPictureWorker } from '../../src/server/recognition/redis/queue-worker.ts';
import { MemoryEngine, recognitionOf, textOn, untilAborted } from './server-engine.ts';
import { FAILS, type FromWorker, HELD, type ToWorker, WORKED_MS } from './workers.ts';

const send = (message: FromWorker) => process.send?.(message);
const released = new Map<string, () => void>();

const engine = new MemoryEngine(async (picture, { page, signal, onStage }) => {
  const text = textOn(picture, page);
  onStage?.({ name: 'finding-lines' });
  send({ started: text });
  if (text.startsWith(FAILS))
    throw new OcrError(text.slice(FAILS.length) as OcrErrorCode, 'requested failure');
  if (text.startsWith(HELD)) {
    const aborted = untilAborted(signal, () => new OcrError(OCR_ERRORS.aborted, 'given up')).catch(
      (error) => {
        send({ aborted: text });
        throw error;
      },
    );
    await Promise.race([aborted, new Promise<void>((resolve) => released.set(text, resolve))]);
  }
  return recognitionOf(text);
});
engine.draw = async (picture, { signal, onWorked }) => {
  send({ started: Buffer.from(picture).toString() });
  return untilAborted(signal, () => {
    setTimeout(() => onWorked?.(WORKED_MS), 20);
    return new OcrError(OCR_ERRORS.aborted, 'given up');
  });
};
const link = await openRedis(process.env.REDIS_URL ?? '', createLogger('silent'));
const worker = startPictureWorker({
  link,
  engine,
  concurrency: Number(process.env.OCR_CONCURRENCY ?? 1),
  logger: createLogger('silent'),
  ...(process.env.PROTOCOL !== undefined && { protocol: Number(process.env.PROTOCOL) }),
});
process.on('message', async (message: ToWorker) => {
  if ('release' in message) {
    released.get(message.release)?.();
    return;
  }
  if ('reportAll' in message) {
    send({ reportedAll: true });
    return;
  }
  await worker.close();
  await link.close();
  send({ closed: true });
  await delay(50);
  process.exit(0);
});
send({ ready: true });

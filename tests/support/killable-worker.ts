/**
 * A worker as a process of its own, to be killed or watched: everything is real but the engine, which tells the test what
 * it was given and answers when the test says so. The environment names Redis; a picture is the text that is "read" in it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OCR_ERRORS, OcrError, type OcrErrorCode } from '#ocr';
import { createLogger } from '../../src/server/platform/logger.ts';
import { openRedis } from '../../src/server/platform/redis.ts';
import { startPictureWorker } from '../../src/server/recognition/redis/queue-worker.ts';
import { MemoryEngine, recognitionOf, textOn, untilAborted } from './server-engine.ts';
import { FAILS, type FromWorker, HELD, type ToWorker, WORKED_MS } from './workers.ts';

const tell = (message: FromWorker) => process.send?.(message);
const released = new Map<string, () => void>();

const engine = new MemoryEngine(async (picture, { page, signal, onStage }) => {
  const text = textOn(picture, page);
  onStage?.({ name: 'finding-lines' });
  tell({ started: text });
  if (text.startsWith(FAILS)) throw new OcrError(text.slice(FAILS.length) as OcrErrorCode, 'as it was told');
  if (text.startsWith(HELD)) {
    const aborted = untilAborted(signal, () => new OcrError(OCR_ERRORS.aborted, 'given up')).catch(
      (error) => {
        tell({ aborted: text });
        throw error;
      },
    );
    await Promise.race([aborted, new Promise<void>((resolve) => released.set(text, resolve))]);
  }
  return recognitionOf(text);
});
engine.draw = async (picture, { signal, onWorked }) => {
  tell({ started: Buffer.from(picture).toString() });
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
    tell({ reportedAll: true });
    return;
  }
  await worker.close();
  await link.close();
  tell({ closed: true });
  await delay(50);
  process.exit(0);
});
tell({ ready: true });

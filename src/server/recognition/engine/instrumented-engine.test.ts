import { describe, expect, it } from 'vitest';
import { OCR_ERRORS, OcrError, PRIORITY } from '#ocr';
import { MemoryEngine } from '../../../../tests/support/server-engine.ts';
import { createLogger } from '../../platform/logger.ts';
import { METRICS } from '../../platform/metrics.ts';
import { createPrometheus } from '../../platform/prometheus.ts';
import { NO_TRACING, readTraceparent, writeTraceparent } from '../../platform/tracing.ts';
import { instrumentEngine } from './instrumented-engine.ts';

function watched(read: MemoryEngine['read'], countsWaiting = true) {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const metrics = createPrometheus({ version: 'tested', logger });
  const memory = new MemoryEngine(read);
  memory.report = report;
  const engine = instrumentEngine(memory, { metrics, tracing: NO_TRACING, logger, countsWaiting });
  return { engine, metrics, lines };
}

const picture = () => new Uint8Array([1]);
const report = { waitedMs: 1_500, workedMs: 700, stages: { decoding: 100, reading: 600 }, pid: 42 };

describe('instrumented engine', () => {
  it('has a metric label for every error code of the engine', () => {
    const { outcome } = METRICS.glyphlift_engine_pictures_total.labels;
    expect([...outcome].sort()).toEqual(['done', ...Object.values(OCR_ERRORS)].sort());
  });

  it('rethrows failures, counts them by code, and logs them with the request id', async () => {
    const { engine, metrics, lines } = watched(async () => {
      throw new OcrError(OCR_ERRORS.damaged, 'damaged');
    });
    const options = { priority: PRIORITY.premium, origin: { requestId: 'a-request' } };
    await expect(engine.recognize(picture(), options)).rejects.toMatchObject({ code: 'damaged' });
    const text = await metrics.text();
    expect(text).toContain('glyphlift_engine_pictures_total{kind="text",outcome="damaged"} 1');
    expect(text).toContain('glyphlift_queue_wait_seconds_bucket{le="1",priority="premium"} 0');
    expect(text).toContain('glyphlift_queue_wait_seconds_bucket{le="2.5",priority="premium"} 1');
    expect(text).toContain('glyphlift_engine_stage_duration_seconds_sum{stage="reading"} 0.6');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        reqId: 'a-request',
        outcome: 'damaged',
        priority: 'premium',
        waitedMs: 1_500,
        workedMs: 700,
        pid: 42,
      },
    ]);
  });

  it('does not measure waiting if another process has the queue', async () => {
    const { engine, metrics } = watched(async () => {
      throw new OcrError(OCR_ERRORS.timedOut, 'too long');
    }, false);
    await expect(engine.recognize(picture())).rejects.toThrow('too long');
    expect(await metrics.text()).not.toContain('glyphlift_queue_wait_seconds_count{');
  });
});

describe('a trace context', () => {
  const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  it('survives reading and writing', () => {
    expect(writeTraceparent(readTraceparent(given)!)).toBe(given);
  });

  it.each([
    undefined,
    '',
    `${given}-more`,
    given.toUpperCase(),
    given.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    given.replace('b7ad6b7169203331', '0'.repeat(16)),
  ])('is undefined for the invalid text %s', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import type { RecognitionResult } from '../../../workspace/reading.ts';
import { startHistory } from '../../../workspace/text/text-history.ts';
import { failureOf } from '../upload/extraction-answer.ts';
import {
  connectionLost,
  type ExtractionEvent,
  extractionReducer,
  initialState,
  readingOf,
} from './extraction-state.ts';

const file = new File(['x'], 'receipt.png', { type: 'image/png' });
const attempt = { extractionId: 'a', idempotencyKey: 'b', useFiltering: true, languages: [] };
const extraction = { extractedText: 'Total 4.20', wordCount: 2, confidence: 97 } as Extraction;
const problem = { title: 'File too large', description: 'Please select an image smaller than 10MB' };

const stateAfter = (...events: ExtractionEvent[]) => events.reduce(extractionReducer, initialState);
const chosen: ExtractionEvent = { type: 'chosen', file };
const started: ExtractionEvent = { type: 'started', attempt };
const tick: ExtractionEvent = { type: 'ticked' };

describe('extractionReducer', () => {
  it('extraction state: the percentage rises by ten up to ninety, and is a hundred with the response', () => {
    const ticks = Array.from({ length: 30 }, () => tick);
    expect(stateAfter(chosen, started)).toMatchObject({ percent: 0 });
    expect(stateAfter(chosen, started, tick, tick)).toMatchObject({ percent: 20 });
    expect(stateAfter(chosen, started, ...ticks)).toMatchObject({ percent: 90 });
    expect(stateAfter(chosen, started, ...ticks, { type: 'answered' }, tick)).toMatchObject({ percent: 100 });
  });

  it('extraction state: only ticks raise the percentage, and not upload or stage events', () => {
    const sent = (bytes: number): ExtractionEvent => ({ type: 'sent', bytes, of: 1000 });
    const line: ExtractionEvent = { type: 'staged', stage: 'Reading line' };
    const percents = (...events: ExtractionEvent[]) =>
      events.map((_event, at) => {
        const state = stateAfter(chosen, started, ...events.slice(0, at + 1));
        return state.status === 'processing' ? state.percent : null;
      });
    expect(percents(tick, sent(100), tick, sent(500), sent(1000), tick, line, tick, tick)).toEqual([
      10, 10, 20, 20, 20, 30, 30, 40, 50,
    ]);
  });

  it('extraction state: upload, stage and retry events end the silence', () => {
    const silent: ExtractionEvent[] = [chosen, started, { type: 'fell-silent' }];
    expect(stateAfter(...silent)).toMatchObject({ status: 'processing', silent: true });
    for (const event of [
      { type: 'sent', bytes: 1, of: 2 },
      { type: 'staged', stage: 'Opening the picture' },
      { type: 'tried-again' },
    ] as const) {
      expect(stateAfter(...silent, event)).toMatchObject({ silent: false });
    }
  });

  it('extraction state: a late explanation applies only to the file that it is about', () => {
    const more = { about: 'This is a PDF.' };
    const refused: ExtractionEvent = { type: 'rejected', problem };
    const explained: ExtractionEvent = { type: 'explained', problem, more };
    expect(stateAfter(refused, explained).problem).toEqual({ ...problem, ...more });
    expect(stateAfter(refused, { type: 'rejected', problem: { ...problem } }, explained).problem).toEqual(
      problem,
    );
    expect(stateAfter(refused, chosen, explained).problem).toBeNull();
  });

  it('extraction state: a change of the user clears only quota and session failures', () => {
    const failed = (failure: ReturnType<typeof failureOf>) =>
      stateAfter(chosen, started, { type: 'failed', failure }, { type: 'person-changed' });
    expect(failed(failureOf(429, { error: 'x', limitExceeded: true }))).toMatchObject({
      status: 'selected',
      picture: { file },
    });
    expect(failed(failureOf(401, { error: 'x', code: 'accounts.session_ended' })).status).toBe('selected');
    expect(failed(failureOf(409, { error: 'x', code: 'accounts.signed_in_as_another' })).status).toBe(
      'failed',
    );
    expect(failed(connectionLost).status).toBe('failed');
    expect(stateAfter(chosen, started, { type: 'person-changed' }).status).toBe('processing');
  });

  it('extraction state: a redrawn picture replaces a waiting one, and is ignored while the picture is read', () => {
    const turned = new File(['y'], 'receipt.png', { type: 'image/png' });
    const edit = { original: file, turns: 1, crop: null };
    const redrawn: ExtractionEvent = { type: 'redrawn', from: 1, file: turned, edit };
    const waiting = stateAfter(chosen, redrawn);
    expect(waiting).toMatchObject({ status: 'selected', picture: { file: turned, number: 2, edit } });
    expect(extractionReducer(waiting, redrawn), 'drawn from a picture that was replaced').toBe(waiting);
    const reset = extractionReducer(waiting, { ...redrawn, from: 2, file, edit: { ...edit, turns: 0 } });
    expect(reset).toMatchObject({ picture: { file, number: 3 } });
    expect(reset.status === 'selected' && reset.picture.edit).toBeUndefined();
    expect(stateAfter(chosen, started, redrawn)).toMatchObject({ status: 'processing', picture: { file } });
  });

  it('extraction state: reading a part keeps the earlier result while it runs and after a failure or Cancel', () => {
    const part = new File(['z'], 'receipt-part.png', { type: 'image/png' });
    const read = stateAfter(chosen, started, { type: 'succeeded', extraction });
    const reading = extractionReducer(read, { ...started, part });
    expect(reading).toMatchObject({
      status: 'processing',
      picture: { file: part },
      earlier: { picture: { file } },
    });
    expect(extractionReducer(reading, { type: 'cancelled' })).toEqual(read);
    const failed = extractionReducer(reading, { type: 'failed', failure: connectionLost });
    expect(readingOf(failed)?.picture.file).toBe(file);
    const done = extractionReducer(extractionReducer(failed, started), { type: 'succeeded', extraction });
    expect(done).toMatchObject({ status: 'result', picture: { file: part } });
  });

  it('extraction state: refusing a file keeps the chosen one', () => {
    expect(stateAfter(chosen, { type: 'rejected', problem })).toMatchObject({
      status: 'selected',
      picture: { file },
      problem,
    });
  });

  it('extraction state: choosing a file clears the result and the problem', () => {
    const state = stateAfter(
      chosen,
      started,
      { type: 'succeeded', extraction },
      { type: 'rejected', problem },
      chosen,
    );
    expect(state).toEqual({ status: 'selected', picture: { file, number: 2 }, problem: null });
  });

  it('extraction state: does not start without a file', () => {
    expect(stateAfter(started)).toBe(initialState);
  });

  it('extraction state: a failure keeps the file and the attempt for a retry', () => {
    expect(stateAfter(chosen, started, { type: 'failed', failure: connectionLost })).toMatchObject({
      status: 'failed',
      picture: { file },
      attempt,
    });
  });

  it('extraction state: Cancel returns to the chosen file, and a late response is ignored', () => {
    const state = stateAfter(chosen, started, { type: 'cancelled' }, { type: 'succeeded', extraction });
    expect(state).toMatchObject({ status: 'selected', picture: { file } });
  });

  it('extraction state: the result stays until there is a new one, also after a failure or Cancel', () => {
    const read: ExtractionEvent = { type: 'succeeded', extraction };
    const again: ExtractionEvent[] = [
      chosen,
      started,
      read,
      { ...started, attempt: { ...attempt, extractionId: 'c' } },
    ];
    const earlier = { attempt, extraction };
    expect(stateAfter(...again)).toMatchObject({ status: 'processing', earlier });
    expect(stateAfter(...again, { type: 'cancelled' })).toMatchObject({ status: 'result', ...earlier });
    const failed = [...again, { type: 'failed', failure: connectionLost }] as const;
    expect(stateAfter(...failed)).toMatchObject({ status: 'failed', earlier });
    expect(stateAfter(...failed, started)).toMatchObject({ status: 'processing', earlier });
    const limit = failureOf(429, { error: 'x', limitExceeded: true });
    expect(
      stateAfter(...again, { type: 'failed', failure: limit }, { type: 'person-changed' }),
    ).toMatchObject({
      status: 'result',
      ...earlier,
    });
    expect(readingOf(stateAfter(...again, read))).toMatchObject({ attempt: { extractionId: 'c' } });
    expect(readingOf(stateAfter(...failed, chosen))).toBeNull();
  });

  it('extraction state: a reopened result has its edits', () => {
    const mapped = { text: 'Total 4.30', marks: [] };
    const work = { history: startHistory({ mapped, layout: 'lines', checked: new Set([1]) }) };
    const reading: RecognitionResult = { picture: { file, number: 1 }, attempt, extraction, work };
    const opened = stateAfter(chosen, { type: 'opened', reading });
    expect(opened).toMatchObject({ status: 'result', work });
    expect(readingOf(opened)).toEqual(reading);
  });

  it('extraction state: reset returns to the initial state', () => {
    expect(stateAfter(chosen, started, { type: 'succeeded', extraction }, { type: 'reset' })).toBe(
      initialState,
    );
  });
});

describe('failureOf', () => {
  it("extraction failure: has the server's message or a default one", () => {
    expect(failureOf(415, { error: 'This is not a picture.' }).message).toBe('This is not a picture.');
    expect(failureOf(500, {}).message).toBe('OCR processing failed');
    expect(connectionLost.message).toBe('Please try again');
  });

  it('extraction failure: is a quota failure only with `limitExceeded`', () => {
    expect(failureOf(429, { error: 'Slow down.' })).toMatchObject({ limit: null, retryable: true });
    expect(failureOf(429, { error: 'Used up.', limitExceeded: true, requiresAuth: true })).toMatchObject({
      limit: { requiresAuth: true, requiresPayment: false },
      retryable: false,
    });
  });

  it('extraction failure: is retryable for a server error, but not for an invalid picture', () => {
    expect(failureOf(503, {}).retryable).toBe(true);
    expect(failureOf(422, {}).retryable).toBe(false);
  });
});

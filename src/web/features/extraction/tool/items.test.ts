import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import type { Attempt } from '../../../workspace/reading.ts';
import { failureOf } from '../upload/extraction-answer.ts';
import type { ExtractionAnswer } from './extraction-state.ts';
import { connectionLost, type ExtractionEvent } from './extraction-state.ts';
import type { Rejection } from './image-file.ts';
import { Items, type ItemsDependencies } from './items.ts';

const OPTIONS = { useFiltering: true, languages: [] };
const TEXT = { extractedText: 'one', wordCount: 1, confidence: 90 } as Extraction;
const FILE = new File(['x'], 'receipt.png', { type: 'image/png' });

const flushPromises = () => new Promise((resolve) => setTimeout(resolve));

/** Items with a fake upload, and the sent pictures with functions that answer them. */
function itemsWith(changes: Partial<ItemsDependencies> = {}, found: Rejection | null = null) {
  const sent: { file: File; attempt: Attempt; answer: (answer: ExtractionAnswer) => void }[] = [];
  class Uploads {
    readonly #notify: (id: string, event: ExtractionEvent) => void;
    constructor(notify: (id: string, event: ExtractionEvent) => void) {
      this.#notify = notify;
    }
    read(id: string, file: File, attempt: Attempt, { signal }: AbortController) {
      return new Promise<ExtractionAnswer | null>((resolve) => {
        signal.addEventListener('abort', () => resolve(null));
        const answer = (given: ExtractionAnswer) => {
          this.#notify(
            id,
            given.ok
              ? { type: 'succeeded', extraction: given.extraction }
              : { type: 'failed', failure: given.failure },
          );
          resolve(given);
        };
        sent.push({ file, attempt, answer });
      });
    }
    prepare() {}
    resend() {}
    discard() {}
  }
  const items = new Items({
    loadUpload: async () => ({ Uploads, loadCall: async () => {} }),
    loadFileProblems: async () => ({ inspect: async () => found, applyRemedy: async ({ file }) => file }),
    loadWorkspace: async () => {},
    startStoring: async () => {},
    ...changes,
  });
  return { items, sent, shown: () => items.state().shown };
}

describe('items', () => {
  it('items: reads a chosen picture and shows its text', async () => {
    const { items, sent, shown } = itemsWith();
    await items.choose(FILE);
    expect(shown()).toMatchObject({ status: 'selected', picture: { file: FILE } });
    const answer = items.extract(OPTIONS);
    await flushPromises();
    expect(shown().status).toBe('processing');
    sent[0]!.answer({ ok: true, extraction: TEXT });
    expect(await answer).toEqual({ ok: true, extraction: TEXT });
    expect(shown()).toMatchObject({ status: 'result', extraction: TEXT });
  });

  it('items: a retry after a lost connection sends the same attempt, and after an error a new one', async () => {
    const { items, sent } = itemsWith();
    await items.choose(FILE);
    void items.extract(OPTIONS);
    await flushPromises();
    sent[0]!.answer({ ok: false, failure: connectionLost });
    void items.retry();
    await flushPromises();
    sent[1]!.answer({ ok: false, failure: failureOf(500, {}) });
    void items.retry();
    await flushPromises();
    expect(sent[1]!.attempt).toEqual(sent[0]!.attempt);
    expect(sent[2]!.attempt.idempotencyKey).not.toBe(sent[0]!.attempt.idempotencyKey);
  });

  it('items: a cancelled or paused extraction resolves to null', async () => {
    const { items, shown } = itemsWith();
    await items.choose(FILE);
    const cancelled = items.extract(OPTIONS);
    items.show({ type: 'cancelled' });
    expect(await cancelled).toBeNull();
    const paused = items.extract(OPTIONS);
    await flushPromises();
    items.pause();
    expect(await paused).toBeNull();
    expect(shown().status).toBe('selected');
  });

  it('items: reports a lost connection if the upload code cannot be loaded', async () => {
    const { items, shown } = itemsWith({ loadUpload: () => Promise.reject(new Error('offline')) });
    await items.choose(FILE);
    expect(await items.extract(OPTIONS)).toEqual({ ok: false, failure: connectionLost });
    expect(shown()).toMatchObject({ status: 'failed', failure: connectionLost });
  });

  it('items: returns a document so that its pages are opened, unless it is already being read', async () => {
    const pages: Rejection = {
      title: 'This TIFF has 2 pages',
      description: '',
      remedy: { label: '', busyLabel: null, kind: 'open-pages', file: FILE },
    };
    const { items, shown } = itemsWith({}, pages);
    expect(await items.choose(FILE)).toBe(FILE);
    const chosen = items.choose(FILE);
    void items.extract(OPTIONS);
    expect(await chosen).toBeNull();
    expect(shown()).toMatchObject({ status: 'processing', problem: pages });
  });

  it('items: a change of the user or the plan clears a quota failure', async () => {
    const { items, sent, shown } = itemsWith();
    items.setPerson('ann false');
    await items.choose(FILE);
    void items.extract(OPTIONS);
    await flushPromises();
    sent[0]!.answer({ ok: false, failure: failureOf(429, { limitExceeded: true }) });
    items.setPerson('ann false');
    expect(shown().status).toBe('failed');
    items.setPerson('ann true');
    expect(shown().status).toBe('selected');
  });
});

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

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** The items, and what was sent; `answer` ends the last upload. */
function itemsWith(changes: Partial<ItemsDependencies> = {}, found: Rejection | null = null) {
  const sent: { file: File; attempt: Attempt; answer: (answer: ExtractionAnswer) => void }[] = [];
  class Uploads {
    readonly #tell: (id: string, event: ExtractionEvent) => void;
    constructor(tell: (id: string, event: ExtractionEvent) => void) {
      this.#tell = tell;
    }
    read(id: string, file: File, attempt: Attempt, { signal }: AbortController) {
      return new Promise<ExtractionAnswer | null>((resolve) => {
        signal.addEventListener('abort', () => resolve(null));
        const answer = (given: ExtractionAnswer) => {
          this.#tell(
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
    again() {}
    leave() {}
  }
  const items = new Items({
    loadUpload: async () => ({ Uploads, loadCall: async () => {} }),
    loadFileProblems: async () => ({ inspect: async () => found, applyRemedy: async ({ file }) => file }),
    loadWorkspace: async () => {},
    keep: async () => {},
    ...changes,
  });
  return { items, sent, shown: () => items.state().shown };
}

describe('items', () => {
  it('items: a chosen picture is read, and its text is shown', async () => {
    const { items, sent, shown } = itemsWith();
    await items.choose(FILE);
    expect(shown()).toMatchObject({ status: 'selected', picture: { file: FILE } });
    const answer = items.extract(OPTIONS);
    await settled();
    expect(shown().status).toBe('processing');
    sent[0]!.answer({ ok: true, extraction: TEXT });
    expect(await answer).toEqual({ ok: true, extraction: TEXT });
    expect(shown()).toMatchObject({ status: 'result', extraction: TEXT });
  });

  it('items: a retry after a lost connection sends the same attempt, and after an error a new one', async () => {
    const { items, sent } = itemsWith();
    await items.choose(FILE);
    void items.extract(OPTIONS);
    await settled();
    sent[0]!.answer({ ok: false, failure: connectionLost });
    void items.retry();
    await settled();
    sent[1]!.answer({ ok: false, failure: failureOf(500, {}) });
    void items.retry();
    await settled();
    expect(sent[1]!.attempt).toEqual(sent[0]!.attempt);
    expect(sent[2]!.attempt.idempotencyKey).not.toBe(sent[0]!.attempt.idempotencyKey);
  });

  it('items: an extraction that is cancelled ends without an answer, and so does one that the page leaves', async () => {
    const { items, shown } = itemsWith();
    await items.choose(FILE);
    const cancelled = items.extract(OPTIONS);
    items.show({ type: 'cancelled' });
    expect(await cancelled).toBeNull();
    const left = items.extract(OPTIONS);
    await settled();
    items.pause();
    expect(await left).toBeNull();
    expect(shown().status).toBe('selected');
  });

  it('items: if the code that sends cannot be loaded, reports a lost connection', async () => {
    const { items, shown } = itemsWith({ loadUpload: () => Promise.reject(new Error('offline')) });
    await items.choose(FILE);
    expect(await items.extract(OPTIONS)).toEqual({ ok: false, failure: connectionLost });
    expect(shown()).toMatchObject({ status: 'failed', failure: connectionLost });
  });

  it('items: a document is handed on to have its pages opened, unless its picture is being read', async () => {
    const pages: Rejection = {
      title: 'This TIFF has 2 pages',
      description: '',
      remedy: { label: '', underWay: null, kind: 'open-pages', file: FILE },
    };
    const { items, shown } = itemsWith({}, pages);
    expect(await items.choose(FILE)).toBe(FILE);
    const chosen = items.choose(FILE);
    void items.extract(OPTIONS);
    expect(await chosen).toBeNull();
    expect(shown()).toMatchObject({ status: 'processing', problem: pages });
  });

  it('items: what stands in the way is forgotten when another person uses the page', async () => {
    const { items, sent, shown } = itemsWith();
    items.personIs('ann false');
    await items.choose(FILE);
    void items.extract(OPTIONS);
    await settled();
    sent[0]!.answer({ ok: false, failure: failureOf(429, { limitExceeded: true }) });
    items.personIs('ann false');
    expect(shown().status).toBe('failed');
    items.personIs('ann true');
    expect(shown().status).toBe('selected');
  });
});

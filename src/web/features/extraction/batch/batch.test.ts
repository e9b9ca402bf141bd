import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import type { Attempt } from '../../../workspace/reading.ts';
import type { ExtractionAnswer } from '../tool/extraction-state.ts';
import { connectionLost, type ExtractionEvent, type ExtractionFailure } from '../tool/extraction-state.ts';
import { Items } from '../tool/items.ts';
import { type ItemsState, initialItems, itemsReducer, type List } from '../tool/items-state.ts';
import { failureOf } from '../upload/extraction-answer.ts';
import { Batch } from './batch.ts';
import { fileNames } from './batch-texts.ts';
import { extractionsLeft, listItemOf, listReducer, percentOf } from './list-state.ts';

const OPTIONS = { useFiltering: true, languages: [] };
const TEXT = {
  extractedText: 'one',
  wordCount: 1,
  confidence: 90,
  lines: [],
  hidden: [],
  image: { width: 1, height: 1, rotation: 0 },
  language: 'eng',
  durationMs: 1,
  notices: [],
} satisfies Extraction;
const LIMIT = failureOf(429, { limitExceeded: true, error: 'Daily limit reached' });

const file = (name: string) => new File(['x'], name, { type: 'image/png' });
const entries = (...names: string[]) => names.map((name) => listItemOf(file(name), null));

/** A batch with a fake upload: the test answers each picture. */
function batchOf(...names: string[]) {
  const sent: { name: string; attempt: Attempt; answer: (given: Extraction | ExtractionFailure) => void }[] =
    [];
  const halts: unknown[] = [];
  let left = Number.POSITIVE_INFINITY;
  class Uploads {
    readonly #notify: (id: string, event: ExtractionEvent) => void;
    constructor(notify: (id: string, event: ExtractionEvent) => void) {
      this.#notify = notify;
    }
    read(id: string, { name }: File, attempt: Attempt, leaving: AbortController) {
      return new Promise<ExtractionAnswer | null>((resolve) => {
        leaving.signal.addEventListener('abort', () => resolve(null));
        sent.push({
          name,
          attempt,
          answer: (given) => {
            if ('extractedText' in given) {
              this.#notify(id, { type: 'succeeded', extraction: given });
              resolve({ ok: true, extraction: given });
            } else {
              this.#notify(id, { type: 'failed', failure: given });
              resolve({ ok: false, failure: given });
            }
            leaving.abort();
          },
        });
      });
    }
    prepare() {}
    resend() {}
    discard() {}
  }
  const items = new Items({
    loadUpload: async () => ({ Uploads, loadCall: async () => {} }),
    loadFileProblems: () => Promise.reject(new Error('No file is inspected here')),
    loadWorkspace: async () => {},
    startStoring: async () => {},
  });
  const batch = new Batch(items, {
    isQuotaLeft: async () => {
      left -= 1;
      return left > 0;
    },
    save: async () => {},
    loadPageOpener: () => Promise.reject(new Error('No document is opened here')),
  });
  batch.resume({
    id: 'list',
    isPicture: false,
    entries: names.map((name) => ({ id: name, file: file(name) })),
  });
  const flushPromises = () => new Promise((resolve) => setTimeout(resolve));
  return {
    items,
    batch,
    read(id?: string) {
      void batch.read(OPTIONS, id).then((end) => end && halts.push(end.halt));
      return flushPromises();
    },
    list: () => items.state().list!,
    sent,
    halts,
    flushPromises,
    leave: (count: number) => {
      left = count;
    },
    states: () => batch.list().map(({ state }) => state.status),
    idOf: (name: string) => batch.list().find((item) => item.file.name === name)!.id,
    async answer(given: Extraction | ExtractionFailure = TEXT) {
      sent.at(-1)!.answer(given);
      await flushPromises();
    },
  };
}

describe('batch', () => {
  it('batch: reads pictures one after another, in the current order of the list', async () => {
    const { batch, read, sent, answer, idOf, halts } = batchOf('a', 'b', 'c');
    await read();
    batch.dispatch({ type: 'moved', id: idOf('c'), to: 1 });
    await answer();
    await answer();
    await answer();
    expect(sent.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(halts).toEqual([null]);
  });

  it('batch: after one picture is stopped, reads the next one', async () => {
    const { batch, read, sent, states, idOf, flushPromises } = batchOf('a', 'b');
    await read();
    batch.stop(idOf('a'));
    await flushPromises();
    expect(states()).toEqual(['selected', 'processing']);
    expect(batch.list()[0]!.queueState).toBe('stopped');
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('batch: after it is stopped, a new run reads the waiting pictures', async () => {
    const { batch, read, sent, answer, states, flushPromises, halts, list } = batchOf('a', 'b', 'c');
    await read();
    await answer();
    batch.stop();
    await flushPromises();
    expect(states()).toEqual(['result', 'selected', 'selected']);
    expect(list().isRunning).toBe(false);
    await read();
    await answer();
    await answer();
    expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'b', 'c']);
    expect(halts).toEqual([null, null]);
  });

  it('batch: a rejected picture does not block others, and is retried separately with a new key', async () => {
    const { read, sent, answer, states, idOf } = batchOf('a', 'b');
    await read();
    await answer(failureOf(415, { error: 'This is no picture' }));
    await answer();
    expect(states()).toEqual(['failed', 'result']);
    await read(idOf('a'));
    await answer();
    expect(states()).toEqual(['result', 'result']);
    expect(sent[2]!.attempt.idempotencyKey).not.toBe(sent[0]!.attempt.idempotencyKey);
  });

  it('batch: stops without a response, and a retry sends the same attempt', async () => {
    const { read, sent, answer, states, idOf, list } = batchOf('a', 'b');
    await read();
    await answer(connectionLost);
    expect(states()).toEqual(['failed', 'selected']);
    expect(list().halt).toBe('no-answer');
    await read(idOf('a'));
    expect(sent[1]!.attempt).toEqual(sent[0]!.attempt);
  });

  it('batch: stops when the quota is used up, after an error response or by the usage', async () => {
    const refused = batchOf('a', 'b');
    await refused.read();
    await refused.answer(LIMIT);
    expect(refused.states()).toEqual(['selected', 'selected']);
    expect(refused.halts).toEqual(['limit']);

    const seen = batchOf('a', 'b', 'c');
    seen.leave(2);
    await seen.read();
    await seen.answer();
    await seen.answer();
    expect(seen.states()).toEqual(['result', 'result', 'selected']);
    expect(seen.sent).toHaveLength(2);
    expect(seen.halts).toEqual(['limit']);
  });

  it('batch: also reads pages that open during the run, until the document is open', async () => {
    const { batch, read, sent, answer, flushPromises, halts, list, items } = batchOf('page-1', 'scan.pdf');
    const document = batch.list()[1]!;
    const opening = (busyLabel: string | null) =>
      items.notify(document.id, {
        type: 'rejected',
        problem: {
          title: 'Opening its pages',
          description: '',
          remedy: { kind: 'open-pages', file: document.file, label: '', busyLabel },
        },
      });
    items.notify(document.id, { type: 'reset' });
    opening('One moment...');
    await read();
    await answer();
    expect(list().isRunning).toBe(true);
    batch.dispatch({
      type: 'added',
      items: [{ ...listItemOf(file('page-2'), null), document: document.id }],
      at: 1,
    });
    await flushPromises();
    await answer();
    opening(null);
    await flushPromises();
    expect(sent.map(({ name }) => name)).toEqual(['page-1', 'page-2']);
    expect(halts).toEqual([null]);
    batch.dispatch({
      type: 'added',
      items: [{ ...listItemOf(file('page-3'), null), document: document.id }],
      at: 2,
    });
    expect(batch.list()[2]!.queueState).toBe('none');
  });

  it('batch: after it is abandoned, reads nothing more and reports no end', async () => {
    const { batch, read, sent, flushPromises, halts, list } = batchOf('a', 'b');
    await read();
    batch.abandon();
    await flushPromises();
    expect(sent.map(({ name }) => name)).toEqual(['a']);
    expect(list().isRunning).toBe(false);
    expect(halts).toEqual([]);
  });

  it('batch: removing a picture while it is read does not stop the others', async () => {
    const { batch, read, states, answer, idOf, flushPromises } = batchOf('a', 'b');
    await read();
    batch.remove(idOf('a'));
    await flushPromises();
    await answer();
    expect(states()).toEqual(['result']);
  });
});

describe('list', () => {
  it('percentOf: covers queued and finished pictures', () => {
    const empty: List = { id: 'list', items: [], isRunning: false, halt: null, announcement: '' };
    const added = listReducer(empty, { type: 'added', items: entries('a', 'b', 'c', 'd') });
    const list = listReducer(added, { type: 'queued' });
    expect(percentOf(list.items)).toBe(0);
    const attempt = { ...OPTIONS, extractionId: 'e', idempotencyKey: 'k' };
    const { id } = list.items[0]!;
    let state: ItemsState = { ...initialItems, list };
    const notify = (event: ExtractionEvent) => {
      state = itemsReducer(state, { type: 'event', id, event });
    };
    notify({ type: 'started', attempt });
    notify({ type: 'succeeded', extraction: TEXT });
    expect(percentOf(state.list!.items)).toBe(25);
  });

  it('extractionsLeft: returns the remaining quota, and null if it covers all pictures', () => {
    const usage = { imageCount: 1, dailyLimit: 3 };
    expect(extractionsLeft(5, 0, usage)).toBe(2);
    expect(extractionsLeft(5, 1, usage)).toBe(1);
    expect(extractionsLeft(2, 0, usage)).toBeNull();
    expect(extractionsLeft(5, 0, { imageCount: 4, dailyLimit: 3 })).toBe(0);
    expect(extractionsLeft(5, 0, undefined)).toBeNull();
  });

  it('fileNames: returns unique and valid file names', () => {
    expect(fileNames(['a.png', 'A.jpg', 'x/y.png', '.png', 'a (2).png'])).toEqual([
      'a.txt',
      'A (2).txt',
      'x_y.txt',
      'picture.txt',
      'a (2) (2).txt',
    ]);
  });
});

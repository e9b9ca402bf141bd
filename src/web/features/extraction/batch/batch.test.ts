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
import { listItemOf, listReducer, percentOf, withinReach } from './list-state.ts';

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

/** A list whose pictures answer when the test says so, each with what it says. */
function batchOf(...names: string[]) {
  const asked: { name: string; attempt: Attempt; answer: (given: Extraction | ExtractionFailure) => void }[] =
    [];
  const rests: unknown[] = [];
  let left = Number.POSITIVE_INFINITY;
  class Uploads {
    readonly #tell: (id: string, event: ExtractionEvent) => void;
    constructor(tell: (id: string, event: ExtractionEvent) => void) {
      this.#tell = tell;
    }
    read(id: string, { name }: File, attempt: Attempt, leaving: AbortController) {
      return new Promise<ExtractionAnswer | null>((resolve) => {
        leaving.signal.addEventListener('abort', () => resolve(null));
        asked.push({
          name,
          attempt,
          answer: (given) => {
            if ('extractedText' in given) {
              this.#tell(id, { type: 'succeeded', extraction: given });
              resolve({ ok: true, extraction: given });
            } else {
              this.#tell(id, { type: 'failed', failure: given });
              resolve({ ok: false, failure: given });
            }
            leaving.abort();
          },
        });
      });
    }
    prepare() {}
    again() {}
    leave() {}
  }
  const items = new Items({
    loadUpload: async () => ({ Uploads, loadCall: async () => {} }),
    loadFileProblems: () => Promise.reject(new Error('No file is inspected here')),
    loadWorkspace: async () => {},
    keep: async () => {},
  });
  const batch = new Batch(items, {
    isQuotaLeft: async () => {
      left -= 1;
      return left > 0;
    },
    save: async () => {},
    loadPageOpener: () => Promise.reject(new Error('No document is opened here')),
  });
  batch.goOn({
    id: 'list',
    isPicture: false,
    entries: names.map((name) => ({ id: name, file: file(name) })),
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    items,
    batch,
    read(id?: string) {
      void batch.read(OPTIONS, id).then((end) => end && rests.push(end.halt));
      return settled();
    },
    list: () => items.state().list!,
    asked,
    rests,
    settled,
    leave: (count: number) => {
      left = count;
    },
    states: () => batch.list().map(({ state }) => state.status),
    idOf: (name: string) => batch.list().find((item) => item.file.name === name)!.id,
    async answer(given: Extraction | ExtractionFailure = TEXT) {
      asked.at(-1)!.answer(given);
      await settled();
    },
  };
}

describe('batch', () => {
  it('batch: pictures are read one after another, in the order in which they stand when it is their turn', async () => {
    const { batch, read, asked, answer, idOf, rests } = batchOf('a', 'b', 'c');
    await read();
    batch.dispatch({ type: 'moved', id: idOf('c'), to: 1 });
    await answer();
    await answer();
    await answer();
    expect(asked.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(rests).toEqual([null]);
  });

  it('batch: a stopped picture waits, and the next one is read', async () => {
    const { batch, read, asked, states, idOf, settled } = batchOf('a', 'b');
    await read();
    batch.stop(idOf('a'));
    await settled();
    expect(states()).toEqual(['selected', 'processing']);
    expect(batch.list()[0]!.turn).toBe('stopped');
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('batch: stopped items wait, and Continue reads them', async () => {
    const { batch, read, asked, answer, states, settled, rests, list } = batchOf('a', 'b', 'c');
    await read();
    await answer();
    batch.stop();
    await settled();
    expect(states()).toEqual(['result', 'selected', 'selected']);
    expect(list().isRunning).toBe(false);
    await read();
    await answer();
    await answer();
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b', 'b', 'c']);
    expect(rests).toEqual([null, null]);
  });

  it('batch: a rejected image does not block others, and is retried separately under a new key', async () => {
    const { read, asked, answer, states, idOf } = batchOf('a', 'b');
    await read();
    await answer(failureOf(415, { error: 'This is no picture' }));
    await answer();
    expect(states()).toEqual(['failed', 'result']);
    await read(idOf('a'));
    await answer();
    expect(states()).toEqual(['result', 'result']);
    expect(asked[2]!.attempt.idempotencyKey).not.toBe(asked[0]!.attempt.idempotencyKey);
  });

  it('batch: without an answer it stops, and the same is sent again under the same key', async () => {
    const { read, asked, answer, states, idOf, list } = batchOf('a', 'b');
    await read();
    await answer(connectionLost);
    expect(states()).toEqual(['failed', 'selected']);
    expect(list().halt).toBe('no-answer');
    await read(idOf('a'));
    expect(asked[1]!.attempt).toEqual(asked[0]!.attempt);
  });

  it('batch: it stops when the quota is used up, whether that is refused or seen before', async () => {
    const refused = batchOf('a', 'b');
    await refused.read();
    await refused.answer(LIMIT);
    expect(refused.states()).toEqual(['selected', 'selected']);
    expect(refused.rests).toEqual(['limit']);

    const seen = batchOf('a', 'b', 'c');
    seen.leave(2);
    await seen.read();
    await seen.answer();
    await seen.answer();
    expect(seen.states()).toEqual(['result', 'result', 'selected']);
    expect(seen.asked).toHaveLength(2);
    expect(seen.rests).toEqual(['limit']);
  });

  it('batch: pages that open after the press are read too, until the last one is there', async () => {
    const { batch, read, asked, answer, settled, rests, list, items } = batchOf('page-1', 'scan.pdf');
    const document = batch.list()[1]!;
    const opening = (underWay: string | null) =>
      items.tell(document.id, {
        type: 'rejected',
        problem: {
          title: 'Opening its pages',
          description: '',
          remedy: { kind: 'open-pages', file: document.file, label: '', underWay },
        },
      });
    items.tell(document.id, { type: 'reset' });
    opening('One moment...');
    await read();
    await answer();
    expect(list().isRunning).toBe(true);
    batch.dispatch({
      type: 'added',
      items: [{ ...listItemOf(file('page-2'), null), document: document.id }],
      at: 1,
    });
    await settled();
    await answer();
    opening(null);
    await settled();
    expect(asked.map(({ name }) => name)).toEqual(['page-1', 'page-2']);
    expect(rests).toEqual([null]);
    batch.dispatch({
      type: 'added',
      items: [{ ...listItemOf(file('page-3'), null), document: document.id }],
      at: 2,
    });
    expect(batch.list()[2]!.turn).toBe('none');
  });

  it('batch: once the list is left nothing more is read, and no end is reported', async () => {
    const { batch, read, asked, settled, rests, list } = batchOf('a', 'b');
    await read();
    batch.leave();
    await settled();
    expect(asked.map(({ name }) => name)).toEqual(['a']);
    expect(list().isRunning).toBe(false);
    expect(rests).toEqual([]);
  });

  it('batch: a picture that is removed while it is read does not stop the others', async () => {
    const { batch, read, states, answer, idOf, settled } = batchOf('a', 'b');
    await read();
    batch.remove(idOf('a'));
    await settled();
    await answer();
    expect(states()).toEqual(['result']);
  });
});

describe('list', () => {
  it('batch: its percentage covers everything that was asked for', () => {
    const empty: List = { id: 'list', items: [], isRunning: false, halt: null, said: '' };
    const added = listReducer(empty, { type: 'added', items: entries('a', 'b', 'c', 'd') });
    const list = listReducer(added, { type: 'asked' });
    expect(percentOf(list.items)).toBe(0);
    const attempt = { ...OPTIONS, extractionId: 'e', idempotencyKey: 'k' };
    const { id } = list.items[0]!;
    let state: ItemsState = { ...initialItems, list };
    const tell = (event: ExtractionEvent) => {
      state = itemsReducer(state, { type: 'event', id, event });
    };
    tell({ type: 'started', attempt });
    tell({ type: 'succeeded', extraction: TEXT });
    expect(percentOf(state.list!.items)).toBe(25);
  });

  it('batch: the number within reach is that of the remaining quota, and null where all are', () => {
    const usage = { imageCount: 1, dailyLimit: 3 };
    expect(withinReach(5, 0, usage)).toBe(2);
    expect(withinReach(5, 1, usage)).toBe(1);
    expect(withinReach(2, 0, usage)).toBeNull();
    expect(withinReach(5, 0, { imageCount: 4, dailyLimit: 3 })).toBe(0);
    expect(withinReach(5, 0, undefined)).toBeNull();
  });

  it('batch texts: each text has a file of its own name, whatever its picture is called', () => {
    expect(fileNames(['a.png', 'A.jpg', 'x/y.png', '.png', 'a (2).png'])).toEqual([
      'a.txt',
      'A (2).txt',
      'x_y.txt',
      'picture.txt',
      'a (2) (2).txt',
    ]);
  });
});

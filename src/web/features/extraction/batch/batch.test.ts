import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import type { Attempt } from '../../../workspace/reading.ts';
import { connectionLost, type ExtractionFailure, failureOf } from '../tool/extraction-failure.ts';
import type { ExtractionEvent } from '../tool/extraction-state.ts';
import type { ExtractionAnswer } from '../upload/extract-text.ts';
import { createBatch } from './batch.ts';
import { batchReducer, entryOf, percentOf, withinReach } from './batch-state.ts';
import { fileNames } from './batch-texts.ts';

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
const entries = (...names: string[]) => names.map((name) => entryOf(file(name), null));

/** A job whose pictures answer when the test says so, each with what it says. */
function batchOf(...names: string[]) {
  const asked: { name: string; attempt: Attempt; answer: (given: Extraction | ExtractionFailure) => void }[] =
    [];
  const rests: unknown[] = [];
  let left = Number.POSITIVE_INFINITY;
  const batch = createBatch({
    newAttempt: (options) => ({
      ...options,
      extractionId: crypto.randomUUID(),
      idempotencyKey: crypto.randomUUID(),
    }),
    readerOf: (tell: (event: ExtractionEvent) => void) => ({
      ready: (picture) => ({
        file: picture,
        picture: Promise.resolve({ file: picture, original: null }),
        giveUp: () => {},
      }),
      read: (picture, attempt, leaving) =>
        new Promise<ExtractionAnswer | null>((resolve) => {
          leaving.signal.addEventListener('abort', () => resolve(null));
          asked.push({
            name: picture.name,
            attempt,
            answer(given) {
              if ('extractedText' in given) {
                tell({ type: 'succeeded', extraction: given });
                resolve({ ok: true, extraction: given });
              } else {
                tell({ type: 'failed', failure: given });
                resolve({ ok: false, failure: given });
              }
            },
          });
        }),
      again: () => {},
      giveUp: () => {},
    }),
    onRead: async () => {
      left -= 1;
      return left > 0;
    },
    onRest: (halt) => rests.push(halt),
  });
  batch.add(entries(...names));
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return {
    batch,
    asked,
    rests,
    settled,
    leave: (count: number) => {
      left = count;
    },
    states: () => batch.state().entries.map(({ state }) => state.status),
    idOf: (name: string) => batch.state().entries.find((entry) => entry.file.name === name)!.id,
    async answer(given: Extraction | ExtractionFailure = TEXT) {
      asked.at(-1)!.answer(given);
      await settled();
    },
  };
}

describe('batch', () => {
  it('are read one after another, in the order in which they stand when it is their turn', async () => {
    const { batch, asked, answer, idOf, rests } = batchOf('a', 'b', 'c');
    batch.read(OPTIONS);
    batch.move(idOf('c'), 1);
    await answer();
    await answer();
    await answer();
    expect(asked.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(rests).toEqual([null]);
  });

  it('wait where one of them was stopped, and go on with the next', async () => {
    const { batch, asked, states, idOf, settled } = batchOf('a', 'b');
    batch.read(OPTIONS);
    batch.stop(idOf('a'));
    await settled();
    expect(states()).toEqual(['selected', 'processing']);
    expect(batch.state().entries[0]!.turn).toBe('stopped');
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('all wait once everything is stopped, and those that were not read go on at a press', async () => {
    const { batch, asked, answer, states, settled, rests } = batchOf('a', 'b', 'c');
    batch.read(OPTIONS);
    await answer();
    batch.stop();
    await settled();
    expect(states()).toEqual(['result', 'selected', 'selected']);
    expect(batch.state().isRunning).toBe(false);
    batch.read(OPTIONS);
    await answer();
    await answer();
    expect(asked.map(({ name }) => name)).toEqual(['a', 'b', 'b', 'c']);
    expect(rests).toEqual([null, null]);
  });

  it('that fail for their own sake hold nothing up, and are tried again alone under a new key', async () => {
    const { batch, asked, answer, states, idOf } = batchOf('a', 'b');
    batch.read(OPTIONS);
    await answer(failureOf(415, { error: 'This is no picture' }));
    await answer();
    expect(states()).toEqual(['failed', 'result']);
    batch.read(OPTIONS, idOf('a'));
    await answer();
    expect(states()).toEqual(['result', 'result']);
    expect(asked[2]!.attempt.idempotencyKey).not.toBe(asked[0]!.attempt.idempotencyKey);
  });

  it('stand still without an answer, and the same is sent again under the same key', async () => {
    const { batch, asked, answer, states, idOf } = batchOf('a', 'b');
    batch.read(OPTIONS);
    await answer(connectionLost);
    expect(states()).toEqual(['failed', 'selected']);
    expect(batch.state().halt).toBe('no-answer');
    batch.read(OPTIONS, idOf('a'));
    expect(asked[1]!.attempt).toEqual(asked[0]!.attempt);
  });

  it('wait when the count is used up, whether it is refused or seen before', async () => {
    const refused = batchOf('a', 'b');
    refused.batch.read(OPTIONS);
    await refused.answer(LIMIT);
    expect(refused.states()).toEqual(['selected', 'selected']);
    expect(refused.rests).toEqual(['limit']);

    const seen = batchOf('a', 'b', 'c');
    seen.leave(2);
    seen.batch.read(OPTIONS);
    await seen.answer();
    await seen.answer();
    expect(seen.states()).toEqual(['result', 'result', 'selected']);
    expect(seen.asked).toHaveLength(2);
    expect(seen.rests).toEqual(['limit']);
  });

  it('are read too where they are pages that open after the press, until the last page is there', async () => {
    const { batch, asked, answer, settled, rests } = batchOf('page-1', 'scan.pdf');
    const document = batch.state().entries[1]!;
    const opening = (underWay: string | null) =>
      batch.tell(document.id, {
        type: 'rejected',
        problem: {
          title: 'Opening its pages',
          description: '',
          remedy: { kind: 'open-pages', file: document.file, label: '', underWay },
        },
      });
    batch.tell(document.id, { type: 'reset' });
    opening('One moment...');
    batch.read(OPTIONS);
    await answer();
    expect(batch.state().isRunning).toBe(true);
    batch.add([{ ...entryOf(file('page-2'), null), document: document.id }], 1);
    await settled();
    await answer();
    opening(null);
    await settled();
    expect(asked.map(({ name }) => name)).toEqual(['page-1', 'page-2']);
    expect(rests).toEqual([null]);
    batch.add([{ ...entryOf(file('page-3'), null), document: document.id }], 2);
    expect(batch.state().entries[2]!.turn).toBe('none');
  });

  it('are not read once the list is left, those that come next as little as the one being read', async () => {
    const { batch, asked, settled } = batchOf('a', 'b');
    batch.read(OPTIONS);
    batch.leave();
    await settled();
    expect(asked.map(({ name }) => name)).toEqual(['a']);
  });

  it('are no obstacle when they are taken out of the list while they are read', async () => {
    const { batch, states, answer, idOf, settled } = batchOf('a', 'b');
    batch.read(OPTIONS);
    batch.remove(idOf('a'));
    await settled();
    await answer();
    expect(states()).toEqual(['result']);
  });
});

describe('a list of pictures', () => {
  it('batch: its percentage covers everything that was asked for', () => {
    let list = batchReducer(entries('a', 'b', 'c', 'd'), { type: 'asked' });
    expect(percentOf(list)).toBe(0);
    const attempt = { ...OPTIONS, extractionId: 'e', idempotencyKey: 'k' };
    const [first] = list;
    list = batchReducer(list, { type: 'told', id: first!.id, event: { type: 'started', attempt } });
    list = batchReducer(list, {
      type: 'told',
      id: first!.id,
      event: { type: 'succeeded', extraction: TEXT },
    });
    expect(percentOf(list)).toBe(25);
  });

  it('knows how many of those that wait are within the count, and says nothing where all are', () => {
    const usage = { imageCount: 1, dailyLimit: 3 };
    expect(withinReach(5, 0, usage)).toBe(2);
    expect(withinReach(5, 1, usage)).toBe(1);
    expect(withinReach(2, 0, usage)).toBeNull();
    expect(withinReach(5, 0, { imageCount: 4, dailyLimit: 3 })).toBe(0);
    expect(withinReach(5, 0, undefined)).toBeNull();
  });

  it('gives each text a file of its own name, whatever its picture is called', () => {
    expect(fileNames(['a.png', 'A.jpg', 'x/y.png', '.png', 'a (2).png'])).toEqual([
      'a.txt',
      'A (2).txt',
      'x_y.txt',
      'picture.txt',
      'a (2) (2).txt',
    ]);
  });
});

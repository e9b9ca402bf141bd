import { describe, expect, it } from 'vitest';
import { createUploadScheduler, type ScheduledUpload } from './upload-scheduler.ts';

/** A fake event loop: each iteration admits 100 bytes and takes the given time. */
function createRounds({ milliseconds = 0 } = {}) {
  let callback: (() => void) | undefined;
  let now = 0;
  const pauses: number[] = [];
  const scheduler = createUploadScheduler({
    bytesPerRound: 100,
    eventLoop: {
      nextRound(next) {
        callback = () => {
          now += milliseconds;
          next();
        };
      },
      after(rest, next) {
        pauses.push(rest);
        callback = () => {
          now += rest;
          next();
        };
      },
      now: () => now,
    },
  });
  const processed: string[] = [];
  return {
    scheduler,
    processed,
    pauses,
    ask: (name: string, turn: ScheduledUpload, bytes: number) =>
      void turn.next(bytes).then(() => processed.push(name)),
    /** Returns the uploads that were processed since the last call, and starts the next round. */
    async round() {
      for (let settled = 0; settled < 5; settled++) await Promise.resolve();
      const now = processed.splice(0);
      callback?.();
      return now;
    },
  };
}

describe('upload scheduler', () => {
  it('processes only a limited number of bytes per round', async () => {
    const { scheduler, ask, round } = createRounds();
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name, scheduler.add(), 40);
    expect([await round(), await round(), await round(), await round()]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
      [],
    ]);
  });

  it('serves the waiting uploads in the order in which they were added; the first request is served at once', async () => {
    const { scheduler, ask, round } = createRounds();
    const [first, second, third] = [scheduler.add(), scheduler.add(), scheduler.add()];
    ask('third', third, 100);
    ask('second', second, 100);
    ask('first', first, 100);
    expect([await round(), await round(), await round()]).toEqual([['third'], ['first'], ['second']]);
  });

  it('skips an upload without received bytes, and keeps its place', async () => {
    const { scheduler, ask, round } = createRounds();
    const slow = scheduler.add();
    const others = [scheduler.add(), scheduler.add(), scheduler.add()];
    for (const [at, other] of others.entries()) ask(`other ${at}`, other, 100);
    expect(await round()).toEqual(['other 0']);
    expect(await round()).toEqual(['other 1']);
    ask('slow', slow, 100);
    expect(await round()).toEqual(['other 2']);
    expect(await round()).toEqual(['slow']);
  });

  it('gives a chunk larger than a round its own round', async () => {
    const { scheduler, ask, round } = createRounds();
    ask('small', scheduler.add(), 10);
    ask('large', scheduler.add(), 1_000);
    ask('next', scheduler.add(), 10);
    expect([await round(), await round(), await round()]).toEqual([['small'], ['large'], ['next']]);
  });

  it('reports a delayed upload once', async () => {
    const { scheduler, ask, round } = createRounds();
    ask('other', scheduler.add(), 100);
    const turn = scheduler.add();
    expect(turn.wasDelayed()).toBe(false);
    ask('delayed', turn, 100);
    expect([turn.wasDelayed(), turn.wasDelayed()]).toEqual([true, true]);
    await round();
    await round();
    expect([turn.wasDelayed(), turn.wasDelayed()]).toEqual([true, false]);
  });

  it('pauses for three times the duration of a round while several uploads wait', async () => {
    const { scheduler, ask, round, pauses } = createRounds({ milliseconds: 3 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, scheduler.add(), 100);
    expect([await round(), await round()]).toEqual([['a'], []]);
    expect(pauses).toEqual([9]);
    expect([await round(), await round()]).toEqual([['b'], []]);
    expect(pauses).toEqual([9, 9]);
    expect([await round(), await round()]).toEqual([['c'], ['d']]);
  });

  it('pauses for 20 ms at most, and not at all for a single upload', async () => {
    const { scheduler, ask, round, pauses } = createRounds({ milliseconds: 500 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, scheduler.add(), 100);
    await round();
    expect(pauses).toEqual([20]);
    const alone = createRounds({ milliseconds: 500 });
    const turn = alone.scheduler.add();
    for (const name of ['first', 'second', 'third']) {
      alone.ask(name, turn, 100);
      await alone.round();
    }
    expect(alone.pauses).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { createUploadTurns, type UploadTurn } from './upload-turns.ts';

/** Rounds of a hundred bytes, on demand, each of so many milliseconds. */
function inRounds({ milliseconds = 0 } = {}) {
  let begin: (() => void) | undefined;
  let now = 0;
  const rests: number[] = [];
  const turns = createUploadTurns({
    bytesARound: 100,
    eventLoop: {
      nextRound(next) {
        begin = () => {
          now += milliseconds;
          next();
        };
      },
      after(rest, next) {
        rests.push(rest);
        begin = () => {
          now += rest;
          next();
        };
      },
      now: () => now,
    },
  });
  const through: string[] = [];
  return {
    turns,
    through,
    rests,
    ask: (name: string, turn: UploadTurn, bytes: number) =>
      void turn.next(bytes).then(() => through.push(name)),
    /** What has come through since the last one; the next round begins then. */
    async round() {
      for (let settled = 0; settled < 5; settled++) await Promise.resolve();
      const now = through.splice(0);
      begin?.();
      return now;
    },
  };
}

describe('the turns of uploads', () => {
  it('let no more bytes of all of them through in a round than it holds', async () => {
    const { turns, ask, round } = inRounds();
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name, turns.enter(), 40);
    expect([await round(), await round(), await round(), await round()]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
      [],
    ]);
  });

  it('are taken in the order in which uploads came, whichever asks first', async () => {
    const { turns, ask, round } = inRounds();
    const [first, second, third] = [turns.enter(), turns.enter(), turns.enter()];
    ask('third', third, 100);
    ask('second', second, 100);
    ask('first', first, 100);
    expect([await round(), await round(), await round()]).toEqual([['third'], ['first'], ['second']]);
  });

  it('pass over an upload of which nothing has come, and leave it its place', async () => {
    const { turns, ask, round } = inRounds();
    const slow = turns.enter();
    const others = [turns.enter(), turns.enter(), turns.enter()];
    for (const [at, other] of others.entries()) ask(`other ${at}`, other, 100);
    expect(await round()).toEqual(['other 0']);
    expect(await round()).toEqual(['other 1']);
    ask('slow', slow, 100);
    expect(await round()).toEqual(['other 2']);
    expect(await round()).toEqual(['slow']);
  });

  it('give what is larger than a round one of its own', async () => {
    const { turns, ask, round } = inRounds();
    ask('small', turns.enter(), 10);
    ask('large', turns.enter(), 1_000);
    ask('next', turns.enter(), 10);
    expect([await round(), await round(), await round()]).toEqual([['small'], ['large'], ['next']]);
  });

  it('report an upload as held up once, and pass on more while it is', async () => {
    const { turns, ask, round } = inRounds();
    ask('other', turns.enter(), 100);
    const turn = turns.enter();
    expect(turn.wasHeldUp()).toBe(false);
    ask('held up', turn, 100);
    expect([turn.wasHeldUp(), turn.wasHeldUp()]).toEqual([true, true]);
    await round();
    await round();
    expect([turn.wasHeldUp(), turn.wasHeldUp()]).toEqual([true, false]);
  });

  it('leave the thread to others for three times as long as they took, while several wait', async () => {
    const { turns, ask, round, rests } = inRounds({ milliseconds: 3 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, turns.enter(), 100);
    expect([await round(), await round()]).toEqual([['a'], []]);
    expect(rests).toEqual([9]);
    expect([await round(), await round()]).toEqual([['b'], []]);
    expect(rests).toEqual([9, 9]);
    expect([await round(), await round()]).toEqual([['c'], ['d']]);
  });

  it('rest no longer than 20 ms after something that took long, and not at all for a single upload', async () => {
    const { turns, ask, round, rests } = inRounds({ milliseconds: 500 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, turns.enter(), 100);
    await round();
    expect(rests).toEqual([20]);
    const alone = inRounds({ milliseconds: 500 });
    const turn = alone.turns.enter();
    for (const name of ['first', 'second', 'third']) {
      alone.ask(name, turn, 100);
      await alone.round();
    }
    expect(alone.rests).toEqual([]);
  });
});

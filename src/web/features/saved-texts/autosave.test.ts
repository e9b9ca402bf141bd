import { expect, it } from 'vitest';
import { type AutosaveState, createAutosave, type SendOutcome } from './autosave.ts';

/** An autosave with a server that answers on demand, and a clock that is advanced by hand. */
function keeperOf(text = 'old') {
  const states: AutosaveState[] = [];
  const sent: Array<{ text: string; version: number; answer: (outcome: SendOutcome) => Promise<void> }> = [];
  let aside: { text: string; version: number } | null = null;
  let timers: Array<{ at: number; act: () => void }> = [];
  let now = 0;
  const keeper = createAutosave({
    saved: { text, version: 1 },
    send: (words, version) =>
      new Promise((resolve) => {
        const answer = async (outcome: SendOutcome) => {
          resolve(outcome);
          await new Promise(setImmediate);
        };
        sent.push({ text: words, version, answer });
      }),
    storeDraft: (draft) => {
      aside = draft;
      return true;
    },
    onState: (state) => states.push(state),
    later(act, milliseconds) {
      const timer = { at: now + milliseconds, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  });
  return {
    keeper,
    sent,
    aside: () => aside,
    state: () => states.at(-1),
    pass(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { act } of due) act();
    },
  };
}

it('autosave: a change is sent after a pause in typing, and is saved once the server has it', async () => {
  const { keeper, sent, state, pass, aside } = keeperOf();
  keeper.tell('new');
  expect(state()).toEqual({ status: 'saving' });
  pass(500);
  keeper.tell('newer');
  pass(500);
  expect(sent).toEqual([]);
  expect(aside()).toEqual({ text: 'newer', version: 1 });
  pass(500);
  expect(sent).toMatchObject([{ text: 'newer', version: 1 }]);
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
  expect(aside()).toBeNull();
});

it('autosave: a change during a request is sent with the next version', async () => {
  const { keeper, sent, state, pass, aside } = keeperOf();
  keeper.tell('one');
  void keeper.now();
  keeper.tell('two');
  void keeper.now();
  expect(sent).toHaveLength(1);
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saving' });
  expect(aside()).toEqual({ text: 'two', version: 2 });
  pass(1000);
  expect(sent[1]).toMatchObject({ text: 'two', version: 2 });
  await sent[1]!.answer({ kind: 'saved', version: 3 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: on a bad network the text is stored as a draft and sent again after growing pauses', async () => {
  const { keeper, sent, state, pass, aside } = keeperOf();
  keeper.tell('mine');
  void keeper.now();
  for (const [tries, pause] of [2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    await sent[tries]!.answer({ kind: 'failed', why: 'No connection.' });
    expect(state()).toEqual({ status: 'waiting', why: 'No connection.' });
    expect(aside()).toEqual({ text: 'mine', version: 1 });
    pass(pause - 1);
    expect(sent).toHaveLength(tries + 1);
    pass(1);
    expect(sent).toHaveLength(tries + 2);
  }
  await sent.at(-1)!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: offline, typing makes no calls, and coming back online makes one at once', async () => {
  const { keeper, sent, pass } = keeperOf();
  keeper.tell('m');
  void keeper.now();
  await sent[0]!.answer({ kind: 'failed', why: '' });
  for (const text of ['mi', 'min', 'mine']) {
    keeper.tell(text);
    pass(300);
  }
  expect(sent).toHaveLength(1);
  void keeper.now();
  expect(sent[1]).toMatchObject({ text: 'mine' });
});

it('autosave: a change by another page stops sending until the user has chosen', async () => {
  const { keeper, sent, state, pass } = keeperOf();
  keeper.tell('mine');
  void keeper.now();
  await sent[0]!.answer({ kind: 'elsewhere' });
  keeper.tell('mine too');
  pass(60_000);
  void keeper.now();
  expect(sent).toHaveLength(1);
  expect(state()).toEqual({ status: 'elsewhere' });
  keeper.goOnFrom({ text: 'theirs', version: 7 });
  expect(sent[1]).toMatchObject({ text: 'mine too', version: 7 });
});

it('autosave: given a conflict, taking the other text sends nothing', async () => {
  const { keeper, sent, state, aside } = keeperOf();
  keeper.tell('mine');
  void keeper.now();
  await sent[0]!.answer({ kind: 'elsewhere' });
  keeper.tell('theirs');
  keeper.goOnFrom({ text: 'theirs', version: 7 });
  expect(sent).toHaveLength(1);
  expect(state()).toEqual({ status: 'saved' });
  expect(aside()).toBeNull();
});

it('autosave: a refused change is sent again with the next one, and an empty text is not sent', async () => {
  const { keeper, sent, state, pass } = keeperOf();
  keeper.tell('');
  pass(1000);
  expect(sent).toEqual([]);
  expect(state()).toMatchObject({ status: 'refused' });
  keeper.tell('long');
  pass(1000);
  await sent[0]!.answer({ kind: 'refused', why: 'Your storage is full.' });
  expect(state()).toEqual({ status: 'refused', why: 'Your storage is full.' });
  keeper.tell('short');
  pass(1000);
  expect(sent[1]).toMatchObject({ text: 'short' });
});

it('autosave: given a change that is undone before it was sent, sends nothing', () => {
  const { keeper, sent, state, pass, aside } = keeperOf();
  keeper.tell('new');
  keeper.tell('old');
  pass(5000);
  expect(sent).toEqual([]);
  expect(state()).toEqual({ status: 'saved' });
  expect(aside()).toBeNull();
});

it('autosave: a change of the data beside a text is sent with the same words after a pause', async () => {
  const { keeper, sent, state, pass, aside } = keeperOf();
  keeper.touch();
  expect(state()).toEqual({ status: 'saving' });
  pass(500);
  keeper.touch();
  pass(800);
  expect(sent).toMatchObject([{ text: 'old', version: 1 }]);
  expect(aside()).toBeNull();
  // Changed while it is on its way.
  keeper.touch();
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saving' });
  pass(1000);
  expect(sent[1]).toMatchObject({ text: 'old', version: 2 });
  await sent[1]!.answer({ kind: 'saved', version: 3 });
  expect(state()).toEqual({ status: 'saved' });
  pass(60_000);
  expect(sent).toHaveLength(2);
});

it('autosave: changed data beside a text waits for the server, and undoing words does not drop it', async () => {
  const { keeper, sent, state, pass } = keeperOf();
  keeper.touch();
  keeper.tell('new');
  keeper.tell('old');
  expect(state()).toEqual({ status: 'saving' });
  pass(1000);
  await sent[0]!.answer({ kind: 'failed', why: 'No connection.' });
  expect(state()).toEqual({ status: 'waiting', why: 'No connection.' });
  pass(2000);
  expect(sent[1]).toMatchObject({ text: 'old', version: 1 });
  await sent[1]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: leaving stores waiting changes as a draft at once', () => {
  const { keeper, aside } = keeperOf();
  keeper.tell('mine');
  expect(aside()).toBeNull();
  keeper.leave();
  expect(aside()).toEqual({ text: 'mine', version: 1 });
});

it('autosave: ending sends the last change, and a failure leaves it as a draft', async () => {
  const { keeper, sent, pass, aside } = keeperOf();
  keeper.tell('mine');
  void keeper.end();
  expect(sent).toMatchObject([{ text: 'mine', version: 1 }]);
  await sent[0]!.answer({ kind: 'failed', why: '' });
  pass(100_000);
  expect(sent).toHaveLength(1);
  expect(aside()).toEqual({ text: 'mine', version: 1 });
});

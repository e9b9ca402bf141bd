import { expect, it } from 'vitest';
import { type AutosaveState, createAutosave, type SendOutcome } from './autosave.ts';

/** Starts an autosave with a server that answers on demand and a manual clock. */
function startAutosave(text = 'old') {
  const states: AutosaveState[] = [];
  const sent: Array<{ text: string; version: number; answer: (outcome: SendOutcome) => Promise<void> }> = [];
  let storedDraft: { text: string; version: number } | null = null;
  let timers: Array<{ at: number; act: () => void }> = [];
  let now = 0;
  const autosave = createAutosave({
    saved: { text, version: 1 },
    send: (words, version) =>
      new Promise((resolve) => {
        const answer = async (outcome: SendOutcome) => {
          resolve(outcome);
          await new Promise(setImmediate);
        };
        sent.push({ text: words, version, answer });
      }),
    storeDraft: (next) => {
      storedDraft = next;
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
    autosave,
    sent,
    draft: () => storedDraft,
    state: () => states.at(-1),
    advance(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { act } of due) act();
    },
  };
}

it('autosave: sends a change after a pause in typing, and reports "saved" after the response', async () => {
  const { autosave, sent, state, advance, draft } = startAutosave();
  autosave.setText('new');
  expect(state()).toEqual({ status: 'saving' });
  advance(500);
  autosave.setText('newer');
  advance(500);
  expect(sent).toEqual([]);
  expect(draft()).toEqual({ text: 'newer', version: 1 });
  advance(500);
  expect(sent).toMatchObject([{ text: 'newer', version: 1 }]);
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
  expect(draft()).toBeNull();
});

it('autosave: sends a change during a request with the next version', async () => {
  const { autosave, sent, state, advance, draft } = startAutosave();
  autosave.setText('one');
  void autosave.saveNow();
  autosave.setText('two');
  void autosave.saveNow();
  expect(sent).toHaveLength(1);
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saving' });
  expect(draft()).toEqual({ text: 'two', version: 2 });
  advance(1000);
  expect(sent[1]).toMatchObject({ text: 'two', version: 2 });
  await sent[1]!.answer({ kind: 'saved', version: 3 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: after a network failure stores a draft and sends again after growing pauses', async () => {
  const { autosave, sent, state, advance, draft } = startAutosave();
  autosave.setText('mine');
  void autosave.saveNow();
  for (const [tries, pause] of [2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    await sent[tries]!.answer({ kind: 'failed', reason: 'No connection.' });
    expect(state()).toEqual({ status: 'waiting', reason: 'No connection.' });
    expect(draft()).toEqual({ text: 'mine', version: 1 });
    advance(pause - 1);
    expect(sent).toHaveLength(tries + 1);
    advance(1);
    expect(sent).toHaveLength(tries + 2);
  }
  await sent.at(-1)!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: typing does not send while a retry is scheduled, and saveNow sends at once', async () => {
  const { autosave, sent, advance } = startAutosave();
  autosave.setText('m');
  void autosave.saveNow();
  await sent[0]!.answer({ kind: 'failed', reason: '' });
  for (const text of ['mi', 'min', 'mine']) {
    autosave.setText(text);
    advance(300);
  }
  expect(sent).toHaveLength(1);
  void autosave.saveNow();
  expect(sent[1]).toMatchObject({ text: 'mine' });
});

it('autosave: a conflict stops sending until the user has resolved it', async () => {
  const { autosave, sent, state, advance } = startAutosave();
  autosave.setText('mine');
  void autosave.saveNow();
  await sent[0]!.answer({ kind: 'conflict' });
  autosave.setText('mine too');
  advance(60_000);
  void autosave.saveNow();
  expect(sent).toHaveLength(1);
  expect(state()).toEqual({ status: 'conflict' });
  autosave.continueFrom({ text: 'theirs', version: 7 });
  expect(sent[1]).toMatchObject({ text: 'mine too', version: 7 });
});

it('autosave: sends nothing if the user resolves a conflict with the other text', async () => {
  const { autosave, sent, state, draft } = startAutosave();
  autosave.setText('mine');
  void autosave.saveNow();
  await sent[0]!.answer({ kind: 'conflict' });
  autosave.setText('theirs');
  autosave.continueFrom({ text: 'theirs', version: 7 });
  expect(sent).toHaveLength(1);
  expect(state()).toEqual({ status: 'saved' });
  expect(draft()).toBeNull();
});

it('autosave: sends a refused change again with the next one, and does not send an empty text', async () => {
  const { autosave, sent, state, advance } = startAutosave();
  autosave.setText('');
  advance(1000);
  expect(sent).toEqual([]);
  expect(state()).toMatchObject({ status: 'refused' });
  autosave.setText('long');
  advance(1000);
  await sent[0]!.answer({ kind: 'refused', reason: 'Your storage is full.' });
  expect(state()).toEqual({ status: 'refused', reason: 'Your storage is full.' });
  autosave.setText('short');
  advance(1000);
  expect(sent[1]).toMatchObject({ text: 'short' });
});

it('autosave: sends nothing if a change is undone before it was sent', () => {
  const { autosave, sent, state, advance, draft } = startAutosave();
  autosave.setText('new');
  autosave.setText('old');
  advance(5000);
  expect(sent).toEqual([]);
  expect(state()).toEqual({ status: 'saved' });
  expect(draft()).toBeNull();
});

it('autosave: sends changed data with an unchanged text after a pause', async () => {
  const { autosave, sent, state, advance, draft } = startAutosave();
  autosave.markChanged();
  expect(state()).toEqual({ status: 'saving' });
  advance(500);
  autosave.markChanged();
  advance(800);
  expect(sent).toMatchObject([{ text: 'old', version: 1 }]);
  expect(draft()).toBeNull();
  // A change during the request.
  autosave.markChanged();
  await sent[0]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saving' });
  advance(1000);
  expect(sent[1]).toMatchObject({ text: 'old', version: 2 });
  await sent[1]!.answer({ kind: 'saved', version: 3 });
  expect(state()).toEqual({ status: 'saved' });
  advance(60_000);
  expect(sent).toHaveLength(2);
});

it('autosave: sends changed data again after a failure, and also if the text change is undone', async () => {
  const { autosave, sent, state, advance } = startAutosave();
  autosave.markChanged();
  autosave.setText('new');
  autosave.setText('old');
  expect(state()).toEqual({ status: 'saving' });
  advance(1000);
  await sent[0]!.answer({ kind: 'failed', reason: 'No connection.' });
  expect(state()).toEqual({ status: 'waiting', reason: 'No connection.' });
  advance(2000);
  expect(sent[1]).toMatchObject({ text: 'old', version: 1 });
  await sent[1]!.answer({ kind: 'saved', version: 2 });
  expect(state()).toEqual({ status: 'saved' });
});

it('autosave: storeDraftNow stores unsent changes as a draft at once', () => {
  const { autosave, draft } = startAutosave();
  autosave.setText('mine');
  expect(draft()).toBeNull();
  autosave.storeDraftNow();
  expect(draft()).toEqual({ text: 'mine', version: 1 });
});

it('autosave: close sends the last change, and a failure leaves a draft', async () => {
  const { autosave, sent, advance, draft } = startAutosave();
  autosave.setText('mine');
  void autosave.close();
  expect(sent).toMatchObject([{ text: 'mine', version: 1 }]);
  await sent[0]!.answer({ kind: 'failed', reason: '' });
  advance(100_000);
  expect(sent).toHaveLength(1);
  expect(draft()).toEqual({ text: 'mine', version: 1 });
});

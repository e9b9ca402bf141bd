/**
 * The state of the last change. `saving`: being sent, or about to be. `waiting`: the server could not be reached and is
 * retried. `refused`: not retried before the user acts. `elsewhere`: the text was changed by another page.
 */
export type AutosaveState =
  | { status: 'saved' }
  | { status: 'saving' }
  | { status: 'waiting'; why: string }
  | { status: 'refused'; why: string }
  | { status: 'elsewhere' };

export type SendOutcome =
  | { kind: 'saved'; version: number }
  | { kind: 'elsewhere' }
  | { kind: 'refused'; why: string }
  | { kind: 'failed'; why: string };

interface AutosaveOptions {
  /** The server's version. */
  saved: { text: string; version: number };
  send: (text: string, version: number) => Promise<SendOutcome>;
  /**
   * Stores what the server does not have yet as a draft; null once it has everything. False where that failed, so that it
   * would be lost with the page.
   */
  storeDraft: (draft: { text: string; version: number } | null) => boolean;
  onState: (state: AutosaveState) => void;
  /** A timer; returns a function that cancels it. */
  later: (act: () => void, milliseconds: number) => () => void;
}

/** The pause in typing before a text is sent. */
export const SETTLING_MS = 800;
const ASIDE_MS = 250;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Sends a text that is being changed, one version after the other: what is changed meanwhile goes with the next. Nothing is
 * dropped before the server has it. One closure, because it is one state machine.
 */
export function createAutosave({ saved: first, send, storeDraft, onState, later }: AutosaveOptions) {
  let saved = first;
  let text = first.text;
  /** Something about the text other than its words changed, and the server does not have it. */
  let isTouched = false;
  let state: AutosaveState = { status: 'saved' };
  let underWay = false;
  let failures = 0;
  let isOver = false;
  let isAtRisk = false;
  let cancelSending = () => {};
  let cancelAside: (() => void) | null = null;

  const is = (next: AutosaveState) => {
    state = next;
    onState(next);
  };
  const isSaved = () => text === saved.text && !isTouched;

  const aside = () => {
    cancelAside?.();
    cancelAside = null;
    isAtRisk = !storeDraft(text === saved.text ? null : { text, version: saved.version });
  };
  const asideSoon = () => {
    cancelAside ??= later(() => {
      cancelAside = null;
      aside();
    }, ASIDE_MS);
  };
  const sendAfter = (milliseconds: number) => {
    cancelSending();
    if (!isOver) cancelSending = later(() => void sendNow(), milliseconds);
  };

  async function sendNow(): Promise<void> {
    cancelSending();
    if (underWay || state.status === 'elsewhere' || isSaved()) return;
    if (text === '')
      return is({ status: 'refused', why: 'A text without a word is not saved. Delete it if it can go.' });
    underWay = true;
    is({ status: 'saving' });
    const sent = { text, version: saved.version, isTouched };
    isTouched = false;
    const outcome = await send(sent.text, sent.version);
    underWay = false;
    if (outcome.kind !== 'saved') isTouched ||= sent.isTouched;
    if (outcome.kind === 'saved') {
      failures = 0;
      saved = { text: sent.text, version: outcome.version };
      aside();
      if (isSaved()) return is({ status: 'saved' });
      is({ status: 'saving' });
      return isOver ? sendNow() : sendAfter(SETTLING_MS);
    }
    aside();
    if (outcome.kind === 'elsewhere') return is({ status: 'elsewhere' });
    if (outcome.kind === 'refused') return is({ status: 'refused', why: outcome.why });
    is({ status: 'waiting', why: outcome.why });
    sendAfter(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
    failures += 1;
  }

  function sendSoon() {
    if (state.status === 'elsewhere' || underWay) return;
    if (isSaved()) {
      cancelSending();
      return is({ status: 'saved' });
    }
    // While the server is away the next try has its time already.
    if (state.status === 'waiting') return;
    is({ status: 'saving' });
    sendAfter(SETTLING_MS);
  }

  return {
    /** The current text. */
    tell(next: string) {
      text = next;
      asideSoon();
      sendSoon();
    },
    /** The data beside the text changed, and its words did not. */
    touch() {
      isTouched = true;
      sendSoon();
    },
    /** Sends now instead of after the pause. */
    now: sendNow,
    /** Stores unsent changes as a draft at once: the page may be closed in a moment. */
    leave: () => {
      if (cancelAside) aside();
    },
    /** Unsent changes would be lost with the page. */
    isAtRisk: () => isAtRisk,
    /** The other one's text is known and was answered: on from there. */
    goOnFrom(other: { text: string; version: number }) {
      saved = other;
      isTouched = false;
      is({ status: isSaved() ? 'saved' : 'saving' });
      aside();
      void sendNow();
    },
    /** Reports a change from elsewhere, found before anything was sent. */
    meet(mine: string) {
      text = mine;
      is({ status: 'elsewhere' });
    },
    /** The last attempt: a failure leaves a draft. */
    async end() {
      if (cancelAside) aside();
      isOver = true;
      await sendNow();
    },
    isSaved,
  };
}

/**
 * The state of the last change. `saving`: being sent, or about to be. `waiting`: the server could not be reached; the
 * change is sent again. `refused`: the change is not sent again before the user acts. `conflict`: another page has changed
 * the text.
 */
export type AutosaveState =
  | { status: 'saved' }
  | { status: 'saving' }
  | { status: 'waiting'; reason: string }
  | { status: 'refused'; reason: string }
  | { status: 'conflict' };

export type SendOutcome =
  | { kind: 'saved'; version: number }
  | { kind: 'conflict' }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

interface AutosaveOptions {
  /** The text and its version on the server. */
  saved: { text: string; version: number };
  /** Never rejects. */
  send: (text: string, version: number) => Promise<SendOutcome>;
  /**
   * Stores unsent changes as a draft; null deletes the draft. Returns false if the draft could not be stored, so that the
   * changes would be lost with the page.
   */
  storeDraft: (draft: { text: string; version: number } | null) => boolean;
  onState: (state: AutosaveState) => void;
  /** Starts a timer, and returns a function that cancels it. */
  later: (act: () => void, milliseconds: number) => () => void;
}

/** The pause after the last change before the text is sent. */
export const SAVE_DELAY_MS = 800;
const DRAFT_DELAY_MS = 250;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Saves a text while it is edited. One request runs at a time; changes during a request are sent with the next one. Changes
 * stay in a draft until the server has them. Not split, because all parts share this state.
 */
export function createAutosave({ saved: first, send, storeDraft, onState, later }: AutosaveOptions) {
  let saved = first;
  let text = first.text;
  /** Unsent changes of the data beside the text, such as its layout. */
  let isDataChanged = false;
  let state: AutosaveState = { status: 'saved' };
  let isSending = false;
  let failures = 0;
  let isClosed = false;
  let isAtRisk = false;
  let cancelSending = () => {};
  let cancelDraft: (() => void) | null = null;

  const setState = (next: AutosaveState) => {
    state = next;
    onState(next);
  };
  const isSaved = () => text === saved.text && !isDataChanged;

  const updateDraft = () => {
    cancelDraft?.();
    cancelDraft = null;
    isAtRisk = !storeDraft(text === saved.text ? null : { text, version: saved.version });
  };
  const scheduleDraft = () => {
    cancelDraft ??= later(() => {
      cancelDraft = null;
      updateDraft();
    }, DRAFT_DELAY_MS);
  };
  const sendAfter = (milliseconds: number) => {
    cancelSending();
    if (!isClosed) cancelSending = later(() => void sendNow(), milliseconds);
  };

  async function sendNow(): Promise<void> {
    cancelSending();
    if (isSending || state.status === 'conflict' || isSaved()) return;
    if (text === '')
      return setState({
        status: 'refused',
        reason: 'An empty text is not saved. Delete it if you do not need it.',
      });
    isSending = true;
    setState({ status: 'saving' });
    const sent = { text, version: saved.version, isDataChanged };
    isDataChanged = false;
    const outcome = await send(sent.text, sent.version);
    isSending = false;
    if (outcome.kind !== 'saved') isDataChanged ||= sent.isDataChanged;
    if (outcome.kind === 'saved') {
      failures = 0;
      saved = { text: sent.text, version: outcome.version };
      updateDraft();
      if (isSaved()) return setState({ status: 'saved' });
      setState({ status: 'saving' });
      return isClosed ? sendNow() : sendAfter(SAVE_DELAY_MS);
    }
    updateDraft();
    if (outcome.kind === 'conflict') return setState({ status: 'conflict' });
    if (outcome.kind === 'refused') return setState({ status: 'refused', reason: outcome.reason });
    setState({ status: 'waiting', reason: outcome.reason });
    sendAfter(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
    failures += 1;
  }

  function sendSoon() {
    if (state.status === 'conflict' || isSending) return;
    if (isSaved()) {
      cancelSending();
      return setState({ status: 'saved' });
    }
    // The retry is already scheduled.
    if (state.status === 'waiting') return;
    setState({ status: 'saving' });
    sendAfter(SAVE_DELAY_MS);
  }

  return {
    /** Sets the current text, and saves it after a pause. */
    setText(next: string) {
      text = next;
      scheduleDraft();
      sendSoon();
    },
    /** Reports a change of the data beside the text, such as its layout. */
    markChanged() {
      isDataChanged = true;
      sendSoon();
    },
    /** Saves now instead of after the pause. */
    saveNow: sendNow,
    /** Stores unsent changes as a draft now, because the page may be closed. */
    storeDraftNow: () => {
      if (cancelDraft) updateDraft();
    },
    /** Whether unsent changes would be lost with the page. */
    isAtRisk: () => isAtRisk,
    /** Continues from the server's version after the user has resolved a conflict. */
    continueFrom(other: { text: string; version: number }) {
      saved = other;
      isDataChanged = false;
      setState({ status: isSaved() ? 'saved' : 'saving' });
      updateDraft();
      void sendNow();
    },
    /** Sets the current text, and reports that the server has a newer version than its draft. */
    reportConflict(mine: string) {
      text = mine;
      setState({ status: 'conflict' });
    },
    /** Saves a last time. If that fails, the draft stays. */
    async close() {
      if (cancelDraft) updateDraft();
      isClosed = true;
      await sendNow();
    },
    isSaved,
  };
}

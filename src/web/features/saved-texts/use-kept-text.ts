import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SavedWork, WholeText } from '#contract/saved-text';
import { timesForgotten } from '../../session/browser-data.ts';
import { readSavedText, refreshSavedTexts, sendText, untilSent } from './saved-texts-calls.ts';
import { draftOf, dropDraft, keepDraft } from './text-drafts.ts';
import { createTextKeeper, type KeepingState } from './text-keeper.ts';

interface KeptTextOptions {
  saved: WholeText;
  /** A username. */
  owner: string;
  /** Puts another text on the desk, as a step that can be undone. */
  rewrite: (text: string) => void;
  /** What is kept with the text as it stands; null for a text alone. */
  work: () => SavedWork | null;
}

/** Saves a text while it is worked on, and puts aside in this browser what could not be saved. */
export function useKeptText({ saved, owner, rewrite, work }: KeptTextOptions) {
  const queries = useQueryClient();
  const [state, setState] = useState<KeepingState>({ status: 'saved' });
  const [forgottenBefore] = useState(timesForgotten);
  const [isRestored, setRestored] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [isAtRisk, setAtRisk] = useState(false);
  const risk = useRef(false);
  const mine = useRef(saved.text);
  const latest = useRef({ rewrite, work });
  useEffect(() => {
    latest.current = { rewrite, work };
  });
  const [keeper] = useState(() =>
    createTextKeeper({
      saved,
      send: (text, version) =>
        sendText(saved.id, { text, version, work: latest.current.work() ?? undefined }),
      putAside(draft) {
        // Whoever signs out leaves nothing behind; a session that ends by itself must cost no word.
        const isWanted = draft !== null && timesForgotten() === forgottenBefore;
        risk.current = isWanted && !keepDraft(saved.id, { ...draft, owner });
        setAtRisk(risk.current);
        if (!draft) dropDraft(saved.id);
      },
      onState: setState,
      later(act, milliseconds) {
        const timer = setTimeout(act, milliseconds);
        return () => clearTimeout(timer);
      },
    }),
  );

  useEffect(() => {
    const draft = draftOf(saved.id, owner);
    if (!draft) return;
    if (draft.text === saved.text) return dropDraft(saved.id);
    setRestored(true);
    if (draft.version !== saved.version) keeper.meet(draft.text);
    latest.current.rewrite(draft.text);
  }, [saved, owner, keeper]);

  useEffect(() => {
    const now = () => void keeper.now();
    const hide = () => {
      keeper.leave();
      if (document.visibilityState === 'hidden') now();
    };
    const ask = (event: BeforeUnloadEvent) => {
      keeper.leave();
      if (risk.current) event.preventDefault();
    };
    window.addEventListener('online', now);
    window.addEventListener('pagehide', keeper.leave);
    window.addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('online', now);
      window.removeEventListener('pagehide', keeper.leave);
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', hide);
      // What is on its way arrives all the same, and the list then shows it.
      void keeper
        .end()
        .then(() => untilSent(saved.id))
        .then(() => refreshSavedTexts(queries));
    };
  }, [keeper, queries, saved.id]);

  /** Answers a change by another page. Either text can be had back with a step. */
  const choose = async (whose: 'mine' | 'other') => {
    setChoosing(true);
    try {
      const other = await readSavedText(saved.id);
      const kept = mine.current;
      latest.current.rewrite(other.text);
      if (whose === 'mine') latest.current.rewrite(kept);
      else keeper.tell(other.text);
      keeper.goOnFrom(other);
      setRestored(false);
    } catch {
      // The question stays, and with it everything that was written.
    } finally {
      setChoosing(false);
    }
  };

  return {
    state,
    /** What is not saved could not be put aside either. */
    isAtRisk,
    /** Edits that an earlier visit could not save are back. */
    isRestored,
    isChoosing,
    tell(text: string) {
      mine.current = text;
      keeper.tell(text);
    },
    touch: keeper.touch,
    saveNow: () => void keeper.now(),
    choose,
  };
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { WholeText } from '#contract/saved-text';
import { deletionCount } from '../../session/browser-data.ts';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { WorkToSave } from '../../workspace/text-workspace.tsx';
import { type AutosaveState, createAutosave } from './autosave.ts';
import { readSavedText, refreshSavedTexts, sendText, untilSent } from './saved-texts-calls.ts';
import { deleteDraft, loadDraft, saveDraft } from './text-drafts.ts';

interface UseAutosaveOptions {
  saved: WholeText;
  owner: string;
  /** Replaces the text as an undoable step. */
  rewrite: (text: string) => void;
  /** The data beside the text; null for a text alone. */
  kept: () => WorkToSave | null;
}

/** Saves a text while it is edited, and stores drafts of what could not be saved. */
export function useAutosave(given: UseAutosaveOptions) {
  const { saved, owner } = given;
  const queries = useQueryClient();
  const [forgottenBefore] = useState(deletionCount);
  /** Edits of an earlier visit that were not sent. */
  const [draft] = useState(() => loadDraft(saved.id, owner));
  const [isRestored, setRestored] = useState(draft !== null && draft.text !== saved.text);
  // The text that is shown first is the draft.
  const [state, setState] = useState<AutosaveState>({ status: isRestored ? 'saving' : 'saved' });
  const [isChoosing, setChoosing] = useState(false);
  const [isAtRisk, setAtRisk] = useState(false);
  const mine = useRef(saved.text);
  const rewrite = useEventCallback(given.rewrite);
  const kept = useEventCallback(given.kept);
  const [autosave] = useState(() =>
    createAutosave({
      saved,
      send: (text, version) => sendText(saved.id, { text, version, ...kept() }),
      storeDraft(draft) {
        // Signing out deletes all drafts; an expired session must not lose edits.
        const isWanted = draft !== null && deletionCount() === forgottenBefore;
        const isSafe = !isWanted || saveDraft(saved.id, { ...draft, owner });
        setAtRisk(!isSafe);
        if (!draft) deleteDraft(saved.id);
        return isSafe;
      },
      onState: setState,
      later(act, milliseconds) {
        const timer = setTimeout(act, milliseconds);
        return () => clearTimeout(timer);
      },
    }),
  );

  useEffect(() => {
    if (!draft) return;
    if (draft.text === saved.text) return deleteDraft(saved.id);
    if (draft.version !== saved.version) autosave.meet(draft.text);
    rewrite(draft.text);
  }, [saved, draft, autosave, rewrite]);

  useEffect(() => {
    const now = () => void autosave.now();
    const hide = () => {
      autosave.leave();
      if (document.visibilityState === 'hidden') now();
    };
    const ask = (event: BeforeUnloadEvent) => {
      autosave.leave();
      if (autosave.isAtRisk()) event.preventDefault();
    };
    window.addEventListener('online', now);
    window.addEventListener('pagehide', autosave.leave);
    window.addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('online', now);
      window.removeEventListener('pagehide', autosave.leave);
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', hide);
      // A running request still completes, and the list then shows it.
      void autosave
        .end()
        .then(() => untilSent(saved.id))
        .then(() => refreshSavedTexts(queries));
    };
  }, [autosave, queries, saved.id]);

  /** Resolves a conflict with another page. Undo brings back the other text. */
  const choose = async (whose: 'mine' | 'other') => {
    setChoosing(true);
    try {
      const other = await readSavedText(saved.id);
      const own = mine.current;
      rewrite(other.text);
      if (whose === 'mine') rewrite(own);
      else autosave.tell(other.text);
      autosave.goOnFrom(other);
      setRestored(false);
    } catch {
      // The conflict stays open, and no edit is lost.
    } finally {
      setChoosing(false);
    }
  };

  return {
    state,
    /** The unsaved text could not be stored as a draft either. */
    isAtRisk,
    isRestored,
    isChoosing,
    tell(text: string) {
      mine.current = text;
      autosave.tell(text);
    },
    touch: autosave.touch,
    saveNow: () => void autosave.now(),
    choose,
  };
}

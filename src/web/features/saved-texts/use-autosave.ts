import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { WholeText } from '#contract/saved-text';
import { deletionCount } from '../../session/browser-data.ts';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { WorkToSave } from '../../workspace/text-workspace.tsx';
import { type AutosaveState, createAutosave } from './autosave.ts';
import { readSavedText, refreshSavedTexts, sendText, waitForSave } from './saved-texts-calls.ts';
import { deleteDraft, loadDraft, saveDraft } from './text-drafts.ts';

interface UseAutosaveOptions {
  saved: WholeText;
  owner: string;
  /** Replaces the text as an undoable step. */
  rewrite: (text: string) => void;
  /** The data beside the text, such as its layout; null for a plain text. */
  kept: () => WorkToSave | null;
}

/** Saves a text while it is edited, and stores a draft of unsaved changes. */
export function useAutosave(given: UseAutosaveOptions) {
  const { saved, owner } = given;
  const queries = useQueryClient();
  const [initialDeletionCount] = useState(deletionCount);
  /** Unsent edits of an earlier visit. */
  const [draft] = useState(() => loadDraft(saved.id, owner));
  const [isRestored, setRestored] = useState(draft !== null && draft.text !== saved.text);
  // If there is a draft, it is shown instead of the saved text.
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
        // Signing out deletes all drafts, so no new one may be stored. An expired session must not lose edits.
        const isStored = draft !== null && deletionCount() === initialDeletionCount;
        const isSafe = !isStored || saveDraft(saved.id, { ...draft, owner });
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
    if (draft.version !== saved.version) autosave.reportConflict(draft.text);
    rewrite(draft.text);
  }, [saved, draft, autosave, rewrite]);

  useEffect(() => {
    const saveNow = () => void autosave.saveNow();
    const onVisibilityChange = () => {
      autosave.storeDraftNow();
      if (document.visibilityState === 'hidden') saveNow();
    };
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      autosave.storeDraftNow();
      if (autosave.isAtRisk()) event.preventDefault();
    };
    window.addEventListener('online', saveNow);
    window.addEventListener('pagehide', autosave.storeDraftNow);
    window.addEventListener('beforeunload', onBeforeUnload);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      window.removeEventListener('online', saveNow);
      window.removeEventListener('pagehide', autosave.storeDraftNow);
      window.removeEventListener('beforeunload', onBeforeUnload);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      // A running request still completes, and the list then shows it.
      void autosave
        .close()
        .then(() => waitForSave(saved.id))
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
      else autosave.setText(other.text);
      autosave.continueFrom(other);
      setRestored(false);
    } catch {
      // The conflict stays open, and no edit is lost.
    } finally {
      setChoosing(false);
    }
  };

  return {
    state,
    /** Whether the unsaved text could not be stored as a draft either. */
    isAtRisk,
    isRestored,
    isChoosing,
    setText(text: string) {
      mine.current = text;
      autosave.setText(text);
    },
    markChanged: autosave.markChanged,
    saveNow: () => void autosave.saveNow(),
    choose,
  };
}

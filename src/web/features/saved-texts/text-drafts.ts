import { DRAFT_PREFIX } from '../../session/browser-data.ts';

/*
 * Unsaved edits of saved texts, stored in this browser until the server has them. Signing out deletes them.
 */

export interface TextDraft {
  /** The username, so that other users do not see the draft. */
  owner: string;
  text: string;
  /** Of the saved text that was changed. */
  version: number;
}

/** False where this browser has no room for it, or none at all. */
export function saveDraft(id: string, draft: TextDraft): boolean {
  try {
    localStorage.setItem(DRAFT_PREFIX + id, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Null where there is none of this person. */
export function loadDraft(id: string, owner: string): TextDraft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(DRAFT_PREFIX + id) ?? 'null');
    const isDraft = typeof draft?.text === 'string' && typeof draft.version === 'number';
    return isDraft && draft.owner === owner ? draft : null;
  } catch {
    return null;
  }
}

export function deleteDraft(id: string): void {
  try {
    localStorage.removeItem(DRAFT_PREFIX + id);
  } catch {
    // A browser that stores nothing has nothing to delete.
  }
}

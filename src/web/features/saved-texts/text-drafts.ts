import { DRAFT_PREFIX } from '../../session/browser-data.ts';

/* Drafts: unsaved edits of saved texts, stored in this browser until the server has them. Signing out deletes them. */

export interface TextDraft {
  /** The username, so that other users do not see the draft. */
  owner: string;
  text: string;
  /** Version of the saved text that was edited. */
  version: number;
}

/** False if this browser has no space or no local storage. */
export function saveDraft(id: string, draft: TextDraft): boolean {
  try {
    localStorage.setItem(DRAFT_PREFIX + id, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Null if this user has no draft of the text. */
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
    // A browser without local storage has no draft to delete.
  }
}

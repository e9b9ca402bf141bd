/** Notes in truth files: remarks of a `NAME.txt` about its text that are not part of it. */

/** Accepted results besides the text itself. */
export interface Alternatives {
  /** Other texts. */
  texts: string[];
  /** An error that reports the file as unreadable. */
  failure: boolean;
  /** Codes of notices. */
  notices: string[];
}

export interface NotedTruth {
  text: string;
  also: Alternatives;
}

/** A last paragraph in round or square brackets. */
const LAST_NOTE = /(?:^|\n)[^\S\n]*\n(?:\(([^()]*)\)|\[([^[\]]*)\])\s*$/;
/** A first line that names the form of the result. */
const FIRST_NOTE = /^plain text\b[^\n]*:\s*\n/i;

const OTHER_TEXT = /^or:\s*/i;
const OR_AN_ERROR = /^or(?: at least)?(?: with)? an? error\b/i;
const OR_A_NOTICE = /^or(?: at least)?(?: with)? (?:the|a) notice ([a-z_]+)/i;

/**
 * Removes the notes. `(or: another text)`, `(or an error …)` and `(or at least the notice CODE)` are parsed; any other note
 * is for people and only removed.
 */
export function withoutNotes(file: string): NotedTruth {
  const also: Alternatives = { texts: [], failure: false, notices: [] };
  const body = file.replaceAll('\r\n', '\n').replace(FIRST_NOTE, '');
  const found = LAST_NOTE.exec(body);
  if (!found) return { text: body, also };
  const note = (found[1] ?? found[2] ?? '').trim();
  const notice = OR_A_NOTICE.exec(note)?.[1];
  if (OTHER_TEXT.test(note)) also.texts.push(note.replace(OTHER_TEXT, ''));
  if (OR_AN_ERROR.test(note)) also.failure = true;
  if (notice !== undefined) also.notices.push(notice);
  return { text: `${body.slice(0, found.index).trimEnd()}\n`, also };
}

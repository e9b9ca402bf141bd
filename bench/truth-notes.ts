/** Parses notes in ground-truth files: remarks in a `NAME.txt` that are not part of its text. */

/** Accepted results besides the text itself. */
export interface Alternatives {
  /** Other texts. */
  texts: string[];
  /** An error that reports the file as unreadable. */
  failure: boolean;
  /** Codes of notices. */
  notices: string[];
}

export interface GroundTruth {
  text: string;
  accepted: Alternatives;
}

/** A last paragraph in round or square brackets. */
const LAST_NOTE = /(?:^|\n)[^\S\n]*\n(?:\(([^()]*)\)|\[([^[\]]*)\])\s*$/;
/** A first line about the format of the result, such as “plain text, one line per entry:”. */
const FIRST_NOTE = /^plain text\b[^\n]*:\s*\n/i;

const OTHER_TEXT = /^or:\s*/i;
const OR_AN_ERROR = /^or(?: at least)?(?: with)? an? error\b/i;
const OR_A_NOTICE = /^or(?: at least)?(?: with)? (?:the|a) notice ([a-z_]+)/i;

/**
 * Removes the notes. `(or: another text)`, `(or an error …)` and `(or at least the notice CODE)` are parsed; any other note is
 * only removed.
 */
export function withoutNotes(file: string): GroundTruth {
  const accepted: Alternatives = { texts: [], failure: false, notices: [] };
  const body = file.replaceAll('\r\n', '\n').replace(FIRST_NOTE, '');
  const found = LAST_NOTE.exec(body);
  if (!found) return { text: body, accepted };
  const note = (found[1] ?? found[2] ?? '').trim();
  const notice = OR_A_NOTICE.exec(note)?.[1];
  if (OTHER_TEXT.test(note)) accepted.texts.push(note.replace(OTHER_TEXT, ''));
  if (OR_AN_ERROR.test(note)) accepted.failure = true;
  if (notice !== undefined) accepted.notices.push(notice);
  return { text: `${body.slice(0, found.index).trimEnd()}\n`, accepted };
}

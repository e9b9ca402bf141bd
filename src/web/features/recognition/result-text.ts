/** A result's text as it stands, edits included, for whoever wants to keep it. */
export interface ResultText {
  text: string;
  /** Codes joined by `+`. */
  language: string;
  /** Of the picture. */
  fileName: string;
}

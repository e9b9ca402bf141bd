/** What XML knows no way to say: control characters, halves of a pair, and two that are no characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSPEAKABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text as it stands in XML, between tags and in attributes alike. */
export const xml = (text: string) =>
  withoutUnspeakable(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);

/** A text without what no file of XML may hold. */
export const withoutUnspeakable = (text: string) => text.replaceAll(UNSPEAKABLE, '');

/** What a spreadsheet would run: a picture of somebody else's must not become a formula. Amounts and telephone numbers are none. */
const FORMULA = /^(?![+-][\d\s.,()/%€$£-]*$)[=@+\-\t\r]/;

/** A cell's text as a spreadsheet may be given it. */
export const harmless = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** Names, scripts and writing directions of languages. */
import type { Language } from '../types.ts';
import { LANGUAGES, SCRIPTS } from './language-table.ts';

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa']);
const WITHOUT_SPACES = new Set(['Hans', 'Hant', 'Jpan', 'Kore', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']);
const UNKNOWN_SCRIPT = 'Zyyy';

const known = new Map<string, Language>();
for (const [code, tag, script, name, nativeName] of LANGUAGES) {
  known.set(code, { code, name, nativeName, tag, ...writingOf(code, script) });
}
for (const [code, script, scriptName] of SCRIPTS) {
  const name = `Any language in ${scriptName} script${isVertical(code) ? ' (vertical)' : ''}`;
  known.set(code, { code, name, nativeName: name, tag: `und-${script}`, ...writingOf(code, script) });
}

/** A language's description by its code, whether its data is installed or not; an unknown code is its own name. */
export function describeLanguage(code: string): Language {
  return (
    known.get(code) ?? {
      code,
      name: code,
      nativeName: code,
      tag: 'und',
      ...writingOf(code, UNKNOWN_SCRIPT),
    }
  );
}

/** Every code with a known name, in no particular order. */
export const knownLanguageCodes = (): string[] => [...known.keys()];

/** Codes of vertical writing end in `_vert`. */
export function isVertical(code: string): boolean {
  return code.endsWith('_vert');
}

/** Fraktur and similar type: Latin letters in shapes that a recognizer for modern print does not know. */
export function isBlackletter(code: string): boolean {
  return describeLanguage(code).script === 'Latf';
}

/** Words of such languages follow one another without a space, or are divided by syllable, as Korean is read. */
export function writesNoSpaces(code: string): boolean {
  return WITHOUT_SPACES.has(describeLanguage(code).script);
}

function writingOf(code: string, script: string): Pick<Language, 'script' | 'direction' | 'vertical'> {
  return { script, direction: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr', vertical: isVertical(code) };
}

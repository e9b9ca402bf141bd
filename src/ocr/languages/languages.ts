/** What a picture may be read in: languages, what they are called and how they are written. */
import type { Language } from '../types.ts';
import { LANGUAGES, SCRIPTS } from './language-table.ts';

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa']);
const WITHOUT_SPACES = new Set(['Hans', 'Hant', 'Jpan', 'Kore', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']);
const UNKNOWN_SCRIPT = 'Zyyy';

const known = new Map<string, Language>();
for (const [code, tag, script, name, nativeName] of LANGUAGES) {
  known.set(code, { code, name, nativeName, tag, ...waysOf(code, script) });
}
for (const [code, script, scriptName] of SCRIPTS) {
  const name = `Any language in ${scriptName} script${isVertical(code) ? ' (vertical)' : ''}`;
  known.set(code, { code, name, nativeName: name, tag: `und-${script}`, ...waysOf(code, script) });
}

/** What is known of a language by its code, whether data for it is installed or not; a code of one's own is its name. */
export function describeLanguage(code: string): Language {
  return (
    known.get(code) ?? {
      code,
      name: code,
      nativeName: code,
      tag: 'und',
      ...waysOf(code, UNKNOWN_SCRIPT),
    }
  );
}

/** Every code that has a name here, in no order of meaning. */
export const knownLanguageCodes = (): string[] => [...known.keys()];

/** Data for columns that run downwards has such a name. */
export function isVertical(code: string): boolean {
  return code.endsWith('_vert');
}

/** Printed in Fraktur and its like: Latin letters, but none that a reader of today's print would know. */
export function isBlackletter(code: string): boolean {
  return describeLanguage(code).script === 'Latf';
}

/** Words of such languages follow one another without a space, or are parted by syllable, as Korean is read. */
export function writesNoSpaces(code: string): boolean {
  return WITHOUT_SPACES.has(describeLanguage(code).script);
}

function waysOf(code: string, script: string): Pick<Language, 'script' | 'direction' | 'vertical'> {
  return { script, direction: RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr', vertical: isVertical(code) };
}

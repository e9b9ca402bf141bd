/** Ruby, the small pronunciation above ideographs, in a text that has it in brackets: "猫（ねこ）". */
import type { Ruby } from '#contract/extraction';
import type { Transcript } from './transcript.ts';

/** Part of a text, with its ruby if it has one. */
export interface RubyPart {
  text: string;
  ruby?: string;
}

/** The ruby of a text by the way it stands there: "猫（ねこ）". */
export type RubyInText = ReadonlyMap<string, Required<RubyPart>>;

/** The ruby of the words that stand as they were read. Brackets that were printed are no ruby. */
export function rubyIn({ paragraphs }: Pick<Transcript, 'paragraphs'>): RubyInText {
  const found = new Map<string, Required<RubyPart>>();
  for (const { text, ruby = [] } of paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words))) {
    for (const one of ruby)
      found.set(spelled(text, one), { text: text.slice(one.from, one.to), ruby: one.text });
  }
  return found;
}

const spelled = (text: string, { from, to, text: ruby }: Ruby) => text.slice(from, to + ruby.length + 2);

/** A text in parts with and without ruby, in its order. */
export function rubyParts(text: string, known: RubyInText): RubyPart[] {
  const parts: RubyPart[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const next = [...known].find(([written]) => text.startsWith(written, at));
    if (!next) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push(next[1]);
    at += next[0].length;
  }
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

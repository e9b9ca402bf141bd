/** Ruby (pronunciation above ideographs) in a text that has it in brackets: "猫（ねこ）". */
import type { Ruby } from '#contract/extraction';
import type { PositionedText } from './positioned-text.ts';

/** Part of a text, with its ruby if it has one. */
export interface RubyPart {
  text: string;
  ruby?: string;
}

/** Base texts and their ruby, by their spelling in the text: "猫（ねこ）". */
export type RubyInText = ReadonlyMap<string, Required<RubyPart>>;

/** The ruby of unedited words. Brackets that are printed on the page are not ruby. */
export function rubyIn({ paragraphs }: Pick<PositionedText, 'paragraphs'>): RubyInText {
  const found = new Map<string, Required<RubyPart>>();
  for (const { text, ruby = [] } of paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words))) {
    for (const one of ruby)
      found.set(withBrackets(text, one), { text: text.slice(one.from, one.to), ruby: one.text });
  }
  return found;
}

const withBrackets = (text: string, { from, to, text: ruby }: Ruby) => text.slice(from, to + ruby.length + 2);

/** Splits a text into parts with and without ruby, in text order. */
export function rubyParts(text: string, rubyInText: RubyInText): RubyPart[] {
  const parts: RubyPart[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const next = [...rubyInText].find(([written]) => text.startsWith(written, at));
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

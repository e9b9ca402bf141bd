/** Joins ruby (furigana), the small kana above ideographs, to the words that it annotates. */

import { firstOf, itemAt, lastOf, required } from '../checked.ts';
import { MAX_READINGS } from '../reading/considered.ts';
import type { Box, Ruby, Word } from '../types.ts';
import { boundsAround } from './lines.ts';
import type { ReadFragment } from './place.ts';

/**
 * Relative to the line below: the greatest height of ruby, which the width of its characters may not exceed either, and the
 * greatest mean of both. It is set in half the size, but boxes are larger than ink, and over many ideographs it is spaced out.
 */
const SMALLER = { side: 0.9, mean: 0.74 } as const;
/** Two texts of one size differ by less in height. */
const AS_HIGH = 0.85;
/** In heights of the line below: the widest gap to it. Boxes are a little higher than the ink, so most overlap. */
const WIDEST_GAP = 0.1;
/** In widths of a character below: how far ruby may lie from the ideographs that it annotates. */
const FARTHEST = 1;
/** Relative to an ideograph, for the place of a character in its word. */
const NARROW = 0.55;
/** In heights: the gap in which small text to the left or right belongs to the same line. */
const BESIDE = 2;
/** Share of kana in ruby; the rest is misread. */
const MOSTLY = 0.75;
/** Weight of ruby that is narrower than ideographs, or wider, against a difference in place, when these are chosen. */
const BY_WIDTH = { narrower: 0.25, wider: 0.75 } as const;

const KANA = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const HIRAGANA = /^\p{Script=Hiragana}$/u;
const KATAKANA = /^\p{Script=Katakana}$/u;
const IDEOGRAPH = /^[\p{Script=Han}々〆ヶ]$/u;
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u30ff\uff01-\uff60]$/u;
const LETTER = /^[\p{L}\p{M}ー]$/u;
/** Never at the start of a word. */
const CONTINUES = /^[ぁぃぅぇぉっゃゅょゎんァィゥェォッャュョヮンー\p{M}]$/u;
/** Recognizers take kana for these ideographs. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  一: 'ー',
  二: 'ニ',
  八: 'ハ',
  力: 'カ',
  卜: 'ト',
  口: 'ロ',
  夕: 'タ',
  工: 'エ',
};

interface Span {
  from: number;
  to: number;
}

/** A character of a line and its estimated place on the page. */
interface Character extends Span {
  word: Word;
  /** UTF-16 offset in the word. */
  at: number;
  text: string;
}

/** A word of ruby. */
interface Note extends Span {
  text: string;
  confidence: number;
}

/**
 * Makes small kana right above ideographs the ruby of the word below, which is changed in place. In vertical text the ruby is
 * to the right of its column, which is above it on the upright page.
 */
export function withRuby(fragments: readonly ReadFragment[]): {
  lines: ReadFragment[];
  /** The fragments that are ruby and not lines. */
  ruby: ReadonlySet<ReadFragment>;
} {
  const notes = new Map(fragments.map((fragment) => [fragment, notesOf(fragment)]));
  const lines = fragments.filter((fragment) => fragment.words.some(({ text }) => hasIdeograph(text)));
  const joined = new Set<ReadFragment>();
  const found = new Map<ReadFragment, Note[]>();
  for (const [fragment, own] of notes) {
    if (!own || hasOtherTextBeside(fragment, notes)) continue;
    const below = nearestBelow(fragment, own, lines);
    if (!below) continue;
    joined.add(fragment);
    found.set(below, [...(found.get(below) ?? []), ...own]);
  }
  return {
    lines: fragments.flatMap((fragment) => {
      if (joined.has(fragment)) return [];
      const own = found.get(fragment);
      return own ? annotated(fragment, own) : fragment;
    }),
    ruby: joined,
  };
}

/** A word with each ruby in brackets after the text that it annotates: "猫（ねこ）". A word without ruby stays. */
export function spelledWithRuby(word: Word): Word {
  const { text, ruby = [], readings, ...rest } = word;
  if (ruby.length === 0) return word;
  const alike = (readings ?? []).filter((reading) => reading.length === text.length);
  let added = 0;
  const moved = ruby.map((one) => {
    const place = { ...one, from: one.from + added, to: one.to + added };
    added += one.text.length + 2;
    return place;
  });
  return {
    ...rest,
    text: withBrackets(text, ruby),
    confidence: Math.min(rest.confidence, ...ruby.map((one) => one.confidence)),
    ...(alike.length > 0 && { readings: alike.map((reading) => withBrackets(reading, ruby)) }),
    ruby: moved,
  };
}

const withBrackets = (text: string, ruby: readonly Ruby[]) =>
  ruby.reduceRight((done, one) => `${done.slice(0, one.to)}（${one.text}）${done.slice(one.to)}`, text);

const hasIdeograph = (text: string) => [...text].some((one) => IDEOGRAPH.test(one));

/** The words of a fragment that may be ruby, without specks read as punctuation; undefined for other text. */
function notesOf({ words, uprightWords }: ReadFragment): Note[] | undefined {
  const notes: Note[] = [];
  for (const [i, { text, confidence }] of words.entries()) {
    const characters = kanaOf([...text]);
    const { x, width } = itemAt(uprightWords, i);
    const advance = width / characters.length;
    let open: Note | undefined;
    for (const [at, one] of characters.entries()) {
      if (!LETTER.test(one)) {
        open = undefined;
        continue;
      }
      if (!open) {
        open = { text: '', confidence, from: x + at * advance, to: 0 };
        notes.push(open);
      }
      open.text += one;
      open.to = x + (at + 1) * advance;
    }
  }
  const all = [...notes.map(({ text }) => text).join('')];
  const kana = all.filter((one) => KANA.test(one));
  return kana.length > 0 && kana.length >= MOSTLY * all.length ? notes : undefined;
}

/**
 * Characters with ideographs in place of kana corrected. At the ends of hiragana they are strokes of the line below, and become
 * blanks.
 */
function kanaOf(characters: readonly string[]): string[] {
  if (characters.some((one) => KATAKANA.test(one))) return characters.map((one) => LOOKS_LIKE[one] ?? one);
  if (!characters.some((one) => HIRAGANA.test(one))) return [...characters];
  return characters.map((one, at) => {
    if (!LOOKS_LIKE[one]) return one;
    if (one === '一' && at > 0) return 'ー';
    return at === 0 || at === characters.length - 1 ? ' ' : one;
  });
}

/** Whether text of the same size, but not kana alone, continues a fragment to the left or right. */
function hasOtherTextBeside(
  fragment: ReadFragment,
  notes: ReadonlyMap<ReadFragment, Note[] | undefined>,
): boolean {
  const own = fragment.upright;
  return [...notes].some(([{ upright: other }, kana]) => {
    if (kana || other === own) return false;
    const isAsHigh = Math.min(own.height, other.height) > AS_HIGH * Math.max(own.height, other.height);
    const gap = Math.max(own.x, other.x) - Math.min(own.x + own.width, other.x + other.width);
    return (
      isAsHigh && Math.abs(middleOf(own) - middleOf(other)) < own.height / 2 && gap < BESIDE * own.height
    );
  });
}

const middleOf = ({ y, height }: Box) => y + height / 2;

/** The line right below ruby whose ideographs it annotates. */
function nearestBelow(
  { upright: own }: ReadFragment,
  notes: readonly Note[],
  lines: readonly ReadFragment[],
): ReadFragment | undefined {
  const width = notes.reduce((sum, { from, to }) => sum + to - from, 0);
  const count = notes.reduce((sum, { text }) => sum + [...text].length, 0);
  return lines
    .filter((line) => {
      const { y, height } = line.upright;
      if (y - own.y - own.height > WIDEST_GAP * height || middleOf(own) > y + own.height / 2) return false;
      const runs = runsOf(charactersOf(line));
      const character = widthOfCharacter(runs);
      const [high, wide] = [own.height / height, width / count / character];
      return (
        Math.max(high, wide) <= SMALLER.side &&
        Math.sqrt(high * wide) <= SMALLER.mean &&
        notes.every((note) => runs.some((run) => apart(note, spanOf(run)) < FARTHEST * character))
      );
    })
    .sort((one, other) => one.upright.y - other.upright.y)[0];
}

/** A line's characters, spread over their words by their usual width. */
function charactersOf({ words, uprightWords }: ReadFragment): Character[] {
  return words.flatMap((word, i) => {
    const { x, width } = itemAt(uprightWords, i);
    const characters = Array.from(word.text, (text) => ({ text, units: WIDE.test(text) ? 1 : NARROW }));
    const unit = width / characters.reduce((sum, { units }) => sum + units, 0);
    let at = 0;
    let from = x;
    return characters.map(({ text, units }): Character => {
      const character = { word, at, text, from, to: from + units * unit };
      at += text.length;
      from = character.to;
      return character;
    });
  });
}

/** Runs of ideographs, also over narrow gaps between words: wide ruby spreads the ideographs below it. */
function runsOf(characters: readonly Character[]): Character[][] {
  const runs: Character[][] = [];
  for (const [i, character] of characters.entries()) {
    if (!IDEOGRAPH.test(character.text)) continue;
    const before = characters[i - 1];
    const continues =
      before &&
      IDEOGRAPH.test(before.text) &&
      character.from - before.to < NARROW * (character.to - character.from);
    if (continues) lastOf(runs).push(character);
    else runs.push([character]);
  }
  return runs;
}

const widthOfCharacter = (runs: readonly (readonly Character[])[]) => {
  const all = runs.flat();
  return all.reduce((sum, { from, to }) => sum + to - from, 0) / all.length;
};

const spanOf = (run: readonly Span[]): Span => ({ from: firstOf(run).from, to: lastOf(run).to });
const apart = (one: Span, other: Span) => Math.max(one.from, other.from) - Math.min(one.to, other.to);
const center = ({ from, to }: Span) => (from + to) / 2;

/** A line with its ruby. Two words that one ruby lies above become one. */
function annotated(line: ReadFragment, notes: readonly Note[]): ReadFragment {
  const runs = runsOf(charactersOf(line));
  const byRun = new Map<Character[], Note[]>();
  for (const note of notes.toSorted((one, other) => one.from - other.from)) {
    for (const [run, part] of sharedOut(note, runs)) {
      const own = byRun.get(run) ?? [];
      const before = own.at(-1);
      const [initial = ''] = part.text;
      if (before && CONTINUES.test(initial)) {
        extend(before, part);
        before.to = part.to;
      } else byRun.set(run, [...own, part]);
    }
  }
  const words = [...line.words];
  const boxes = [...line.uprightWords];
  /** The word that each joined word is now part of, and where it starts there. */
  const joinedTo = new Map<Word, { word: Word; at: number }>();
  const placeOf = ({ word, at }: Character) => {
    const whole = joinedTo.get(word);
    return whole ? { word: whole.word, at: whole.at + at } : { word, at };
  };
  for (const run of runs) {
    let next = 0;
    for (const note of byRun.get(run) ?? []) {
      const below = annotatedBy(note, run.slice(next));
      const [first, last] = [below[0], below.at(-1)];
      if (!first || !last) {
        // More ruby than ideographs are left for.
        extend(lastOf(required(placeOf(lastOf(run)).word.ruby)), note);
        continue;
      }
      for (let at = words.indexOf(placeOf(first).word) + 1; placeOf(last).word !== placeOf(first).word; ) {
        const before = itemAt(words, at - 1);
        const [part] = words.splice(at, 1);
        joinedTo.set(required(part), { word: before, at: before.text.length });
        Object.assign(before, wholeOf(before, required(part)));
        boxes.splice(at - 1, 2, boundsAround(boxes.slice(at - 1, at + 1)));
      }
      const { word, at: from } = placeOf(first);
      const to = placeOf(last).at + last.text.length;
      word.ruby = [...(word.ruby ?? []), { text: note.text, confidence: note.confidence, from, to }];
      next = run.indexOf(last) + 1;
    }
  }
  return { ...line, words, uprightWords: boxes };
}

function wholeOf(before: Word, after: Word): Word {
  const { readings: _, ...rest } = before;
  const readings = [
    ...(before.readings ?? []).map((reading) => reading + after.text),
    ...(after.readings ?? []).map((reading) => before.text + reading),
  ].slice(0, MAX_READINGS);
  return {
    ...rest,
    text: before.text + after.text,
    confidence: Math.min(before.confidence, after.confidence),
    box: boundsAround([before.box, after.box]),
    ...(readings.length > 0 && { readings }),
  };
}

/** Lets ruby continue with another part of it. */
function extend(ruby: Pick<Note, 'text' | 'confidence'>, part: Note): void {
  ruby.text += part.text;
  ruby.confidence = Math.min(ruby.confidence, part.confidence);
}

/** A word of ruby by the runs that its characters are nearest to. */
function sharedOut(note: Note, runs: readonly Character[][]): Map<Character[], Note> {
  const parts = new Map<Character[], Note>();
  const characters = [...note.text];
  const advance = (note.to - note.from) / characters.length;
  for (const [i, text] of characters.entries()) {
    const place = { from: note.from + i * advance, to: note.from + (i + 1) * advance };
    const distance = (run: Character[]) =>
      Math.max(0, apart({ from: center(place), to: center(place) }, spanOf(run)));
    const nearest = runs.reduce((best, one) => (distance(one) <= distance(best) ? one : best));
    const run = CONTINUES.test(text) ? ([...parts.keys()].at(-1) ?? nearest) : nearest;
    const part = parts.get(run);
    if (part) Object.assign(part, { text: part.text + text, to: place.to });
    else parts.set(run, { ...note, ...place, text });
  }
  return parts;
}

/** The ideographs of a run that lie closest below ruby; empty for an empty run. */
function annotatedBy(note: Note, run: readonly Character[]): Character[] {
  let best: Character[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let from = 0; from < run.length; from++) {
    for (let to = from + 1; to <= run.length; to++) {
      const part = run.slice(from, to);
      const span = spanOf(part);
      const wider = note.to - note.from - (span.to - span.from);
      const badness =
        Math.abs(center(span) - center(note)) +
        Math.abs(wider) * (wider > 0 ? BY_WIDTH.wider : BY_WIDTH.narrower);
      if (badness >= least) continue;
      [best, least] = [part, badness];
    }
  }
  return best;
}

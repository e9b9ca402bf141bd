/**
 * The words and letters of a language, read from tesseract's own data: a `.traineddata` file holds its vocabulary as a
 * directed acyclic word graph, so that every readable language also has a lexicon.
 */

import type { Lexicon } from '../reading/lexicon.ts';
import { Recent } from '../recent.ts';
import { charactersIn, componentOf, type LoadLanguage } from './traineddata.ts';

const GRAPH_MAGIC = 42;
/** Flags of an edge, above the bits of its character: last edge of its node, backward, end of a word. */
const FLAG_BITS = 3;
const LAST_EDGE = 1;
const WORD_END = 4;

/** The words of several languages together. */
function joined(lexicons: readonly Lexicon[]): Lexicon {
  const [only, ...others] = lexicons;
  if (only && others.length === 0) return only;
  return {
    letters: new Set(lexicons.flatMap(({ letters }) => [...letters])),
    *words() {
      for (const lexicon of lexicons) yield* lexicon.words();
    },
    near: (word) => new Set(lexicons.flatMap((lexicon) => [...lexicon.near(word)])),
    has: (word) => lexicons.some((lexicon) => lexicon.has(word)),
  };
}

function openLanguage(data: Uint8Array): Lexicon {
  const letters = new Set<string>();
  const characters = componentOf(data, 'characters');
  const ids = idsOf(characters ? charactersIn(characters) : []);
  for (const character of ids.keys()) if (/^\p{L}\p{M}*$/u.test(character)) letters.add(character);
  const graph = characters ? wordGraphOf(componentOf(data, 'words'), ids) : undefined;
  const known = new Map<string, boolean>();
  return {
    letters,
    *words() {
      if (graph) yield* graph.words();
    },
    near(word) {
      const lower = word.toLowerCase();
      const found = new Set(graph?.near([...lower]));
      found.delete(lower);
      return found;
    },
    has(word) {
      let found = known.get(word);
      if (found === undefined) {
        found = graph !== undefined && formsOf(word).some((form) => graph.holds(form));
        if (known.size >= REMEMBERED) known.clear();
        known.set(word, found);
      }
      return found;
    },
  };
}

/** Number of cached answers, so that the frequent words of a page are looked up once. */
const REMEMBERED = 20_000;

function formsOf(word: string): string[] {
  const lower = word.toLowerCase();
  const title = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([lower, title, word.toUpperCase(), word])];
}

interface WordGraph {
  holds(word: string): boolean;
  near(word: readonly string[]): Generator<string>;
  words(): Generator<string>;
}

function wordGraphOf(graph: Uint8Array | undefined, ids: ReadonlyMap<string, number>): WordGraph | undefined {
  if (!graph) return undefined;
  const view = new DataView(graph.buffer, graph.byteOffset, graph.byteLength);
  if (view.getInt16(0, true) !== GRAPH_MAGIC) return undefined;
  const characterBits = Math.ceil(Math.log2(view.getInt32(2, true) + 1));
  const count = view.getInt32(6, true);
  // An edge is 64 bits wide; its lower half holds character and flags, and the next node straddles both halves.
  const symbols = new Uint16Array(count);
  const flags = new Uint8Array(count);
  const nodes = new Uint32Array(count);
  const mask = 2 ** characterBits - 1;
  const nodeBits = characterBits + FLAG_BITS;
  for (let edge = 0; edge < count; edge++) {
    const low = view.getUint32(10 + edge * 8, true);
    const high = view.getUint32(14 + edge * 8, true);
    symbols[edge] = low & mask;
    flags[edge] = (low >>> characterBits) & 7;
    nodes[edge] = (low >>> nodeBits) | (high << (32 - nodeBits));
  }
  const characters: string[] = [];
  for (const [text, id] of ids) characters[id] = text;
  const lower = characters.map((text) => text.toLowerCase());
  return {
    // Each path through the graph carries a row of Levenshtein's table: the distance of the stem to each prefix of the word.
    // A path ends where all of them exceed one.
    *near(word) {
      const length = word.length;
      const open = [{ node: 0, stem: '', row: Array.from({ length: length + 1 }, (_, at) => at) }];
      for (let next = open.pop(); next; next = open.pop()) {
        const { node, stem, row: before } = next;
        for (let edge = node; edge < count; edge++) {
          const flag = flags[edge]!;
          const letter = lower[symbols[edge]!];
          let least = before[0]! + 1;
          const row = [least];
          for (let at = 0; at < length; at++) {
            const exchanged = before[at]! + (word[at] === letter ? 0 : 1);
            const edits = Math.min(exchanged, before[at + 1]! + 1, row[at]! + 1);
            row.push(edits);
            if (edits < least) least = edits;
          }
          if (least <= 1) {
            if (flag & WORD_END && row[length]! <= 1) yield stem + letter;
            const further = nodes[edge];
            if (further) open.push({ node: further, stem: stem + letter, row });
          }
          if (flag & LAST_EDGE) break;
        }
      }
    },
    holds(word) {
      let node = 0;
      let ended = false;
      for (const [index, character] of [...word].entries()) {
        const id = ids.get(character);
        if (id === undefined || (index > 0 && node === 0)) return false;
        let edge = node;
        while (symbols[edge] !== id) {
          if (flags[edge]! & LAST_EDGE || ++edge >= count) return false;
        }
        ended = (flags[edge]! & WORD_END) !== 0;
        node = nodes[edge]!;
      }
      return ended;
    },
    *words() {
      const open = [{ node: 0, stem: '' }];
      for (let next = open.pop(); next; next = open.pop()) {
        for (let edge = next.node; edge < count; edge++) {
          const flag = flags[edge]!;
          const node = nodes[edge];
          const stem = next.stem + characters[symbols[edge]!];
          if (flag & WORD_END) yield stem;
          if (node) open.push({ node, stem });
          if (flag & LAST_EDGE) break;
        }
      }
    },
  };
}

function idsOf(characters: readonly string[]): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [id, character] of characters.entries()) {
    if (character !== '' && !ids.has(character)) ids.set(character, id);
  }
  return ids;
}

/** Open languages, and as many sets of them; English takes 3 MB. */
const OPEN_LEXICONS = 4;

/** Opens languages on first use and keeps the latest ones; each is opened once, even if it is in several sets. */
export class Lexicons {
  readonly #load: LoadLanguage;
  readonly #languages = new Recent<Lexicon>(OPEN_LEXICONS);
  readonly #sets = new Recent<Lexicon>(OPEN_LEXICONS);

  constructor(load: LoadLanguage) {
    this.#load = load;
  }

  /** @throws {OcrError} `language_unavailable` */
  of(languages: readonly string[]): Lexicon {
    const open = (language: string) =>
      this.#languages.get(language, () => openLanguage(this.#load(language)));
    const [language, ...others] = languages;
    return language !== undefined && others.length === 0
      ? open(language)
      : this.#sets.get(languages.join('+'), () => joined(languages.map(open)));
  }
}

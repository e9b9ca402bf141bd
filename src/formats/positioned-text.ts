import type { Box, Extraction, Layout, Ruby } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { firstOf, itemAt, lastOf, required } from './checked.ts';
import { type MappedText, type Mark, mapText, type Piece, piecesOf } from './pieces.ts';
import { fromUpright, toUpright, uprightSize } from './upright.ts';

export interface PositionedTextWord {
  text: string;
  /** Range in `PositionedText.text`: `[start, end)`, without a removed hyphen. */
  start: number;
  end: number;
  /** In rounded pixels of the picture after its EXIF orientation. An added word has a box near its neighbors. */
  box: Box;
  /** Whether the box is a recognized word's or an empty cell's; false for an added word. */
  placed: boolean;
  /** Index of the extraction's line and word; null for an added word, or one restored from hidden text. */
  source: { line: number; word: number } | null;
  /** 0 to 100: the calibrated probability that it is right; null if the user wrote it. */
  confidence: number | null;
  /** The recognized word that the user replaced. */
  read: string | null;
  /** Other readings of an unedited doubtful word; empty otherwise. */
  readings: readonly string[];
  /** Ruby of an unedited word; absent if it has none. */
  ruby?: readonly Ruby[];
  /** A space follows, or the line ends. */
  spaced: boolean;
  /** It ends in a hyphen at the end of the line, and continues with the next line's first word. */
  broken: boolean;
}

/** Words on one line of the picture, in reading order. */
export interface PositionedTextLine {
  words: readonly PositionedTextWord[];
  box: Box;
}

export interface PositionedTextParagraph {
  lines: readonly PositionedTextLine[];
  box: Box;
}

/** The current text, edits included, with the place of every word in the picture: the source of all file formats. */
export interface PositionedText {
  text: string;
  /** Separated by the text's blank lines. Lines are those of the picture, even if the text has joined them. */
  paragraphs: readonly PositionedTextParagraph[];
  /** BCP 47 tags ("en", "zh-Hans"), the main one first. */
  languages: readonly string[];
  /** 0 to 100, of the recognized text. */
  confidence: number;
  picture: Extraction['image'] & { name: string };
  /** Refers to the lines and words of the extraction. */
  layout: Layout;
}

const NO_LAYOUT: Layout = { tables: [], headings: [], listItems: [], fields: [], indents: [] };

export interface PositionedTextSource {
  extraction: Extraction;
  /** Name of the picture's file. */
  name: string;
  /** The edited text, with its marks on the pieces of the extraction; by default the recognized text. */
  edited?: MappedText;
  /** Text that the user wrote into empty cells of tables. Marks count these pieces after those of the extraction. */
  filled?: readonly Piece[];
}

export function positionedTextOf({
  extraction,
  name,
  edited,
  filled = [],
}: PositionedTextSource): PositionedText {
  const pieces = [...piecesOf(extraction), ...filled];
  const mapped = edited ?? mapText(extraction.extractedText, pieces);
  const { image } = extraction;
  const paragraphs = placed(splitIntoLines(mapped, pieces, image), image);
  return {
    text: mapped.text,
    paragraphs: paragraphs.map((lines) => {
      const written = lines.map(lineOf);
      return { lines: written, box: required(boundsOf(written.map(({ box }) => box))) };
    }),
    languages: languageTags(extraction.language),
    confidence: extraction.confidence,
    picture: { ...image, name },
    layout: extraction.layout ?? NO_LAYOUT,
  };
}

/** Index of each piece's line and word; null for hidden text. */
function sourcesOf(pieces: readonly Piece[]): PositionedTextWord['source'][] {
  const words = new Map<number, number>();
  return pieces.map(({ hidden, line, text }) => {
    // Text in a filled empty cell was not recognized.
    if (hidden !== null || text === '') return null;
    const word = words.get(line) ?? 0;
    words.set(line, word + 1);
    return { line, word };
  });
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs from right to left, judged by its first letter. */
export const isRightToLeft = (text: string) => RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '');

/** Tesseract's codes as BCP 47 tags. */
export function languageTags(language: string): string[] {
  return language.split('+').flatMap((code) => {
    const [name = '', variant = ''] = code.split('_');
    const script = { sim: '-Hans', tra: '-Hant' }[variant] ?? '';
    try {
      return Intl.getCanonicalLocales(`${name === 'chi' ? 'zh' : name}${script}`);
    } catch {
      return [];
    }
  });
}

/** A word before its placement; its box is in pixels of the upright picture. */
interface Draft extends Omit<PositionedTextWord, 'box'> {
  box: Box | null;
}

/** A part of the text that is one word of the picture, or an added word. */
interface Unit {
  start: number;
  end: number;
  mark: Mark | null;
  spaced: boolean;
}

/** The units of each line of the text. */
function unitsOf({ text, marks }: MappedText): Unit[][] {
  let next = 0;
  let from = 0;
  return text.split('\n').map((line) => {
    const units = [...line.matchAll(/\S+/g)].flatMap((token) => {
      const start = from + token.index;
      const end = start + token[0].length;
      while (next < marks.length && itemAt(marks, next).end <= start) next += 1;
      const marksOfToken: Mark[] = [];
      for (let at = next; at < marks.length && itemAt(marks, at).start < end; at += 1)
        marksOfToken.push(itemAt(marks, at));
      // Text adjacent to a word belongs to it.
      const edges = [start, ...marksOfToken.slice(1).map((mark) => mark.start), end];
      return edges.slice(0, -1).map((edge, part) => ({
        start: edge,
        end: itemAt(edges, part + 1),
        mark: marksOfToken[part] ?? null,
        spaced: part === edges.length - 2,
      }));
    });
    from += line.length + 1;
    return units;
  });
}

/** The text's paragraphs, each as lines of the picture with their words; added words have no box yet. */
function splitIntoLines(
  mapped: MappedText,
  pieces: readonly Piece[],
  image: Extraction['image'],
): Draft[][][] {
  const sources = sourcesOf(pieces);
  const paragraphs: Draft[][][] = [[]];
  for (const units of unitsOf(mapped)) {
    if (units.length === 0) {
      paragraphs.push([]);
      continue;
    }
    let words: Draft[] = [];
    let last: { row: string; piece: Piece } | null = null;
    for (const unit of units) {
      const piece = unit.mark && pieces[unit.mark.piece];
      const row = piece?.hidden === 'line' ? `hidden ${unit.mark?.piece}` : `${piece?.line}`;
      if (piece && last && row !== last.row) {
        breakWord(lastOf(words), last.piece);
        lastOf(paragraphs).push(words);
        words = [];
      }
      if (piece) last = { row, piece };
      words.push({
        ...draftOf(unit, mapped.text, piece, image),
        source: unit.mark ? (sources[unit.mark.piece] ?? null) : null,
      });
    }
    lastOf(paragraphs).push(words);
  }
  return paragraphs.filter((lines) => lines.length > 0);
}

function draftOf(
  { start, end, mark, spaced }: Unit,
  rounded: string,
  piece: Piece | null | undefined,
  image: Extraction['image'],
): Draft {
  const text = rounded.slice(start, end);
  const noReading = { confidence: null, read: null, readings: [] };
  const added = {
    text,
    start,
    end,
    box: null,
    placed: false,
    source: null,
    ...noReading,
    spaced,
    broken: false,
  };
  if (!mark || !piece) return added;
  const isRead = text === piece.text || `${text}-` === piece.text;
  return {
    ...added,
    box: shareOf(toUpright(piece.box, image), mark, { start, end }, text),
    placed: true,
    confidence: isRead ? piece.confidence : null,
    read: isRead || piece.text === '' ? null : piece.text,
    readings: isRead ? piece.readings : [],
    ...(text === piece.text && piece.ruby && { ruby: piece.ruby }),
  };
}

/** Restores the hyphen of a word whose line was joined to the next, because the picture shows it. */
function breakWord(word: Draft, piece: Piece): void {
  word.broken = !word.spaced && `${word.text}-` === piece.text;
  if (word.broken) word.text += '-';
  word.spaced = true;
}

/** The part of a piece's box that belongs to a part of its current text. */
function shareOf(box: Box, mark: Mark, { start, end }: { start: number; end: number }, now: string): Box {
  const length = mark.end - mark.start;
  const from = Math.max(0, start - mark.start) / length;
  const to = Math.min(length, end - mark.start) / length;
  if (from === 0 && to === 1) return box;
  const left = isRightToLeft(now) ? 1 - to : from;
  return { ...box, x: box.x + left * box.width, width: (to - from) * box.width };
}

/** Estimated width of a character relative to the height of its line, for words without a box. */
const CHARACTER_WIDTH = 0.45;
/** Height of an added line, relative to the line above it. */
const INSERTED_LINE_HEIGHT = 0.25;

/** Gives added words boxes: within a line beside their neighbor; an added line below the line before it. */
function placed(paragraphs: Draft[][][], image: Extraction['image']): PositionedTextWord[][][] {
  const page = uprightSize(image);
  const rows = paragraphs.flat();
  const anchor = rows.flat().find(({ box }) => box)?.box ?? null;
  let above: Box | null = null;
  rows.forEach((row, index) => {
    if (row.some(({ box }) => box)) {
      placeBesideNeighbors(row, page.width);
    } else {
      const strip = anchor ? besideLine(above, anchor, page) : spread(index, rows.length, page);
      divide({ ...strip, width: Math.min(strip.width, naturalWidth(row, strip.height)) }, row);
    }
    above = boundsOf(row.map(({ box }) => required(box)));
  });
  return paragraphs.map((paragraph) =>
    paragraph.map((row) =>
      row.map((word) => ({ ...word, box: rounded(fromUpright(required(word.box), image), image) })),
    ),
  );
}

/** A strip below the line before it, or above the first line with a box. */
function besideLine(above: Box | null, anchor: Box, page: { width: number; height: number }): Box {
  const host = above ?? anchor;
  const height = Math.max(2, host.height * INSERTED_LINE_HEIGHT);
  const y = above ? Math.min(above.y + above.height, page.height - height) : anchor.y - height;
  return { x: host.x, y: Math.max(0, y), width: page.width - host.x, height };
}

/** Distributes lines over the rounded page if none has a box. */
function spread(index: number, rows: number, page: { width: number; height: number }): Box {
  const pitch = page.height / (rows + 1);
  return { x: 0, y: index * pitch, width: page.width, height: Math.min(0.5 * pitch, page.width / 25) };
}

const naturalWidth = (words: readonly Draft[], height: number) =>
  words.reduce((sum, { text }) => sum + text.length + 1, 0) * CHARACTER_WIDTH * height;

function placeBesideNeighbors(row: Draft[], pageWidth: number): void {
  let at = 0;
  while (at < row.length) {
    let end = at;
    while (end < row.length && !itemAt(row, end).box) end += 1;
    const added = row.slice(at, end);
    if (added.length > 0) {
      const [before, after] = [row[at - 1]?.box, row[end]?.box];
      const host = required(before ?? after);
      const leftwards = isRightToLeft(firstOf(added).text);
      const natural = naturalWidth(added, host.height);
      divide(gapBetween({ before, after, host, natural, leftwards, pageWidth }), added);
    }
    at = end + 1;
  }
}

interface Gap {
  before: Box | null | undefined;
  after: Box | null | undefined;
  host: Box;
  natural: number;
  leftwards: boolean;
  pageWidth: number;
}

/** The gap between two neighbors; at the start or end of a line, a box of the words' estimated width. */
function gapBetween({ before, after, host, natural, leftwards, pageWidth }: Gap): Box {
  const [left, right] = leftwards ? [after, before] : [before, after];
  const from = left ? left.x + left.width : Math.max(0, required(right).x - natural);
  const to = right ? right.x : Math.min(pageWidth, required(left).x + required(left).width + natural);
  const start = Math.min(from, pageWidth - 1);
  return { ...host, x: start, width: Math.max(1, to - start) };
}

/** Divides a box among words in proportion to their lengths. */
function divide(place: Box, words: Draft[]): void {
  const lengths = words.map(({ text }) => text.length + 1);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const leftwards = isRightToLeft(words[0]?.text ?? '');
  let past = 0;
  words.forEach((word, index) => {
    const width = (itemAt(lengths, index) / total) * place.width;
    const x = leftwards ? place.x + place.width - past - width : place.x + past;
    word.box = { ...place, x, width: width * (word.text.length / itemAt(lengths, index)) };
    past += width;
  });
}

/** In rounded pixels, at least one in each dimension, within the picture. */
function rounded(box: Box, { width, height }: { width: number; height: number }): Box {
  const x = Math.max(0, Math.min(width - 1, Math.round(box.x)));
  const y = Math.max(0, Math.min(height - 1, Math.round(box.y)));
  const right = Math.max(x + 1, Math.min(width, Math.round(box.x + box.width)));
  const bottom = Math.max(y + 1, Math.min(height, Math.round(box.y + box.height)));
  return { x, y, width: right - x, height: bottom - y };
}

const lineOf = (words: PositionedTextWord[]): PositionedTextLine => ({
  words,
  box: required(boundsOf(words.map(({ box }) => box))),
});

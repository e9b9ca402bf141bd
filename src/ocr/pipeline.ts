import { OCR_ERRORS, OcrError } from './errors.ts';
import { describeLanguage, isBlackletter, isVertical } from './languages/languages.ts';
import { dewarpPage } from './layout/dewarped-page.ts';
import { withDropCaps } from './layout/drop-caps.ts';
import { filterLines, type WordEvidence } from './layout/filter.ts';
import type { TextBox } from './layout/line-fragments.ts';
import { lineOf, meanConfidence, textOfLines, withTablesApart } from './layout/lines.ts';
import { withRepairedZones } from './layout/machine-readable-zone.ts';
import { withNestedBullets } from './layout/nested-bullets.ts';
import type { OrderedLine, OrderOptions } from './layout/order.ts';
import { byDirection, followedBy, linesInOrder } from './layout/ordered-lines.ts';
import {
  type Drawn,
  drawnOn,
  type LaidPage,
  layoutOf,
  NO_LAYOUT,
  NOTHING_DRAWN,
  type WordPlace,
} from './layout/page-layout.ts';
import { placeFragment, type ReadFragment } from './layout/place.ts';
import { detectText, type TextDetector } from './page/detect.ts';
import { findDropCaps } from './page/drop-caps.ts';
import type { Region } from './page/geometry.ts';
import { isolatedGlyphs } from './page/isolated-glyphs.ts';
import { alongLeaders } from './page/leaders.ts';
import { noticesOf } from './page/notices.ts';
import { type OrientationClassifier, orientPage, quartersOf } from './page/orient.ts';
import { acrossLines, isPartOfStamp, stampLayer } from './page/stamps.ts';
import type { Picture } from './picture/picture.ts';
import { fuseLine } from './reading/fuse.ts';
import type { Lexicon } from './reading/lexicon.ts';
import { type LanguageIdentifier, lessSure, otherLanguage } from './reading/other-language.ts';
import { linesToLookAt, type OfScript, otherScript, type ScriptShares } from './reading/other-script.ts';
import { trustOnPage } from './reading/page-trust.ts';
import {
  checkWhole,
  cropFor,
  type LineReadings,
  readRegions,
  scriptsOf,
  withOuterUnderscoresRead,
} from './reading/recognize.ts';
import type { LineRecognizer, PageReader } from './reading/recognizer.ts';
import { type ReadRegion, regionsInQuestion, unreadNotice, unreadRegions } from './reading/unread.ts';
import { legibilityOf, withUpsideDown } from './reading/upside-down.ts';
import type { Trace } from './trace.ts';
import type { Layout, Line, Notice, Recognition, Stage, UnreadRegion, Word } from './types.ts';

/** The recognizers on worker threads, as the stages use them. */
export interface Recognizers {
  /** Calls worth making in parallel. */
  readonly size: number;
  /** The primary recognizer; `checked`: a secondary one reads the doubtful parts. */
  readerOf(languages: readonly string[], options: { checked: boolean }): PageReader;
  /** Boxes in reading order, as `orderLines` returns them. */
  order(boxes: readonly TextBox[], options: OrderOptions, signal?: AbortSignal): Promise<OrderedLine[]>;
}

/** Networks, opened on first use. */
export interface Models {
  detector(): Promise<TextDetector>;
  direction(): Promise<OrientationClassifier>;
  /** The secondary recognizer of texts in a set of letters; undefined where there is none. */
  recognizerFor(letters: ReadonlySet<string>): Promise<LineRecognizer | undefined>;
  /** The recognizer of Latin letters among others. */
  latinAmongOthers(letters: ReadonlySet<string>): Promise<LineRecognizer>;
  /** The script of each line. */
  scriptsOf(picture: Picture, regions: readonly Region[], signal: AbortSignal): Promise<ScriptShares[]>;
}

export interface ReadOptions {
  languages: readonly string[];
  filter: boolean;
  /** Lines with a doubtful word are read once more, in several views. */
  thorough?: boolean | undefined;
}

/** The most common language of Latin words among other letters; its data is always available. */
const AMONG_OTHERS = ['eng'];

/** The environment of the pipeline: decoding, threads and models. */
export interface PipelineContext {
  /** @throws {OcrError} as `decodePicture` */
  decode(bytes: Uint8Array): Promise<Picture>;
  recognizers: Recognizers;
  models: Models;
  /** @throws {OcrError} `language_unavailable` */
  lexiconOf(languages: readonly string[]): Lexicon;
  identifyLanguage: LanguageIdentifier;
  signal: AbortSignal;
  onStage(stage: Stage): void;
  /** Receives the result of each step. */
  trace?: Trace;
}

/**
 * Reads the text of one encoded picture. Runs on the main thread of the recognition process and only coordinates: pixels are
 * processed in the threads of sharp, onnxruntime and the recognizers.
 * @throws {OcrError}
 */
export async function readPicture(
  bytes: Uint8Array,
  options: ReadOptions,
  context: PipelineContext,
): Promise<Recognition> {
  const startedAt = performance.now();
  const { trace } = context;
  // First, so that missing data is reported before any work is done.
  const own = context.lexiconOf(options.languages);
  // The letters are Latin, but their shapes are not: "und" would be corrected to "unb".
  const blackletter = options.languages.some(isBlackletter);
  const checker = await context.models.recognizerFor(own.letters);
  const first = context.recognizers.readerOf(options.languages, { checked: checker !== undefined });
  // Hardly any page in other letters is without a name, an address or a measure in Latin ones.
  const second = checker ?? (await context.models.latinAmongOthers(context.lexiconOf(AMONG_OTHERS).letters));
  const lexicon = checker ? own : context.lexiconOf([...new Set([...options.languages, ...AMONG_OTHERS])]);
  context.onStage({ name: 'decoding' });
  const picture = await context.decode(bytes);
  trace?.decoded(picture);
  throwIfAborted(context.signal);

  context.onStage({ name: 'finding-lines' });
  const inColumns = options.languages.every(isVertical);
  const found = await detectText(picture, await context.models.detector(), { inColumns });
  trace?.found(found);
  throwIfAborted(context.signal);
  const oriented = await orientPage(picture, found, {
    direction: await context.models.direction(),
    legibility: async (regions) => {
      const crops = regions.map((region) => cropFor(first, picture, region));
      return (await first.read(crops, context.signal)).map(legibilityOf);
    },
  });
  // The search for undetected text needs consecutive lines on an upright page.
  const liesAsRead = oriented.quarters === 0 && !inColumns;
  const whole = liesAsRead
    ? { ...oriented, regions: alongLeaders(picture, oriented.regions, oriented.angle) }
    : oriented;
  const stamp = inColumns ? undefined : stampLayer(picture, whole.regions);
  const stamps = stamp
    ? acrossLines(await detectText(stamp, await context.models.detector()), whole.regions)
    : [];
  const page = stamp
    ? { ...whole, regions: whole.regions.filter((region) => !isPartOfStamp(region, stamps, picture, stamp)) }
    : whole;
  trace?.oriented(page);
  throwIfAborted(context.signal);

  const signs = liesAsRead ? isolatedGlyphs(picture, page.regions) : [];
  const dropCaps = inColumns ? [] : findDropCaps(picture, page.regions, page.angle);
  const regions: Region[] = [...page.regions, ...signs, ...dropCaps.map(({ region }) => region)];
  const readers = {
    first,
    second,
    lexicon,
    threads: context.recognizers.size,
    signal: context.signal,
  };
  const upright = await readRegions(picture, regions, {
    ...readers,
    onProgress: (line) => context.onStage({ name: 'reading', line, of: regions.length }),
  });
  const complete = liesAsRead ? await withOuterUnderscoresRead(picture, upright, readers) : upright;
  if (options.thorough) {
    const words = complete.map((reading) => fuseLine(reading, lexicon));
    const isInDoubt = (_: LineReadings, i: number) =>
      words[i]!.some(({ confidence }) => confidence < DOUBTFUL);
    if (meanConfidence(words.flat()) > ILLEGIBLE)
      await checkWhole(picture, complete.filter(isInDoubt), readers, { views: true });
  }
  const straight = inColumns ? complete : await withUpsideDown(picture, complete, readers);
  const readings = stamp ? [...straight, ...(await readRegions(stamp, stamps, readers))] : straight;
  trace?.read(first, readings);
  throwIfAborted(context.signal);

  context.onStage({ name: 'ordering' });
  // Vertical columns have the geometry of a turned page, but the page is upright.
  const turned = page.quarters === 1 && inColumns ? 0 : page.quarters;
  const directions = inColumns
    ? new Map([[0, page.regions]])
    : byDirection(
        readings.map(({ region }) => region),
        page.angle,
      );
  const flats = new Map(
    [...directions].map(([quarters, regions]) => [
      quarters,
      dewarpPage(regions, page.angle + (quarters * Math.PI) / 2),
    ]),
  );
  const flat = flats.get(0)!;
  const flatOf = (region: Region) => (inColumns ? flat : flats.get(quartersOf(region, page.angle))!);
  const sought = new Set<Word>();
  const read = new Map<Region, ReadFragment>();
  for (const reading of readings) {
    const words = fuseLine(reading, lexicon, trace && ((word) => trace.chose(reading, word)));
    if (words.length === 0) continue;
    const fragment = placeFragment(reading.region, words, picture, flatOf(reading.region));
    if (signs.includes(reading.region)) for (const word of fragment.words) sought.add(word);
    trace?.placed(reading, fragment);
    read.set(reading.region, fragment);
  }
  // A line that was read upside down has another region than the detected one, at the same index.
  const outcomes = page.regions.flatMap((region, i): ReadRegion[] => {
    const reading = readings[i]!;
    if (reading.isHalftone) return [];
    const words = read.get(reading.region)?.words;
    return [{ region, confidence: words && meanConfidence(words), scripts: scriptsOf(reading) }];
  });
  const turnedFragments = new Map<number, ReadFragment[]>();
  for (const [region, fragment] of inColumns ? [] : read) {
    const quarters = quartersOf(region, page.angle);
    if (quarters === 0) continue;
    read.delete(region);
    turnedFragments.set(quarters, [...(turnedFragments.get(quarters) ?? []), fragment]);
  }
  const fragments = withDropCaps(read, dropCaps, lexicon);
  const drawn = inColumns ? NOTHING_DRAWN : drawnOrNothing({ picture, flat }, fragments);
  const order = async (boxes: readonly TextBox[], options: OrderOptions) => {
    const found = await context.recognizers.order(boxes, options, context.signal);
    throwIfAborted(context.signal);
    return found;
  };
  const main = await linesInOrder(fragments, drawn.tables, order);
  // Text that lies across the page follows the page's own, each direction by itself.
  const others = await Promise.all(
    [...turnedFragments.values()].map((turned) => linesInOrder(turned, [], order)),
  );
  const { lines: inOrder, blocks } = others.reduce(followedBy, main);
  const all = withNestedBullets(withRepairedZones(inOrder));
  trace?.ordered(all);
  const filtered = options.filter
    ? filterLines(all, evidenceFor(fragments, lexicon, sought))
    : { lines: all, hidden: [] };
  trace?.filtered(filtered);
  const { hidden } = filtered;
  const letters = await lettersOf(all, picture, outcomes, options.languages, context);
  const shown = filtered.lines.flatMap((line) => line.words);
  const likely = otherLanguage(shown, options.languages, lexicon, context.identifyLanguage);
  const trust = trustOnPage(shown, { blackletter });
  const judged = filtered.lines.map(({ words, paragraph }) =>
    lineOf(
      words.map((word) => {
        const onPage = { ...word, confidence: trust(word.confidence) };
        return likely ? lessSure(onPage, lexicon) : onPage;
      }),
      paragraph,
    ),
  );
  // Vertical columns stand side by side as rows do: their layout differs.
  const layout = inColumns
    ? NO_LAYOUT
    : layoutOrNone({
        lines: filtered.lines,
        placeOf: placesFor(fragments, all, blocks),
        picture,
        flat,
        rules: drawn.rules,
      });
  trace?.laidOut(layout);
  const lines = withTablesApart(judged, layout);
  const told = letters?.code ?? likely;
  // A file without any readable part is reported as damaged.
  if (all.length === 0 && picture.notices.some(({ code }) => code === 'incomplete'))
    throw new OcrError(OCR_ERRORS.damaged, 'no text is in the part of the picture that arrived');
  const confidence = meanConfidence(lines.flatMap((line) => line.words));
  const unread = inColumns ? [] : await unreadOf(picture, outcomes, options.languages, context);
  const notRead = unreadNotice(unread);
  return {
    text: textOfLines(lines),
    confidence,
    lines,
    hidden,
    unread,
    layout,
    image: { ...picture.original, rotation: (360 - turned * 90) % 360 },
    language: options.languages.join('+'),
    ...(told && { likelyLanguage: told }),
    notices: [
      ...picture.notices,
      ...noticesOf({ picture, ...page, ...flat, turned, lines, confidence }),
      ...(told ? [readAsAnother(told, options.languages, letters)] : []),
      ...(notRead ? [{ code: 'unread' as const, message: notRead }] : []),
    ],
    durationMs: performance.now() - startedAt,
  };
}

/** Regions that hold text and were not read, with the reason where it is known. */
async function unreadOf(
  picture: Picture,
  read: readonly ReadRegion[],
  languages: readonly string[],
  context: PipelineContext,
): Promise<UnreadRegion[]> {
  const asked = regionsInQuestion(read);
  if (asked.length === 0) return [];
  const shares = await identifiedScripts(picture, asked, context);
  const own = new Set(languages.map((code) => describeLanguage(code).script));
  return unreadRegions(asked, shares, own, picture);
}

/**
 * Words with less confidence are doubtful. A text with more mean confidence needs no check of its script: letters of another
 * script read as Latin ones seldom reach it.
 */
const DOUBTFUL = 0.85;
/** A page whose words are less sure on average, such as old handwriting, gains nothing from more views. */
const ILLEGIBLE = 0.45;

/**
 * The language of a text, where it is in another script than it was read in; checked only after a reading with low
 * confidence.
 */
async function lettersOf(
  lines: readonly Line[],
  picture: Picture,
  regions: readonly ReadRegion[],
  languages: readonly string[],
  context: PipelineContext,
): Promise<OfScript | undefined> {
  if (!languages.every((code) => describeLanguage(code).script === 'Latn')) return undefined;
  const words = lines.flatMap((line) => line.words);
  if (words.length > 0 && meanConfidence(words) >= DOUBTFUL) return undefined;
  return otherScript(await identifiedScripts(picture, linesToLookAt(regions), context));
}

/** The script of each line; lines whose script is not known yet are read for it. @throws {OcrError} `aborted` */
async function identifiedScripts(
  picture: Picture,
  lines: readonly ReadRegion[],
  { models, signal }: PipelineContext,
): Promise<ScriptShares[]> {
  const open = lines.filter(({ scripts }) => scripts === undefined);
  const regions = open.map(({ region }) => region);
  const found = await models.scriptsOf(picture, regions, signal);
  throwIfAborted(signal);
  for (const [i, line] of open.entries()) line.scripts = found[i];
  return lines.map(({ scripts }) => scripts!);
}

/** @param letters the text's language, where its script differs from the one it was read in */
function readAsAnother(likely: string, languages: readonly string[], letters: OfScript | undefined): Notice {
  const nameOf = (code: string) => describeLanguage(code).name;
  const own = languages.map(nameOf).join(' and ');
  const looks = letters?.letters
    ? `This looks written in ${letters.letters} letters`
    : `This looks ${nameOf(likely)}`;
  const wrong = letters ? 'little of it can be right' : 'more may be wrong than usual';
  return { code: 'other_language', message: `${looks}. It was read as ${own}, so ${wrong}.` };
}

/** @throws {OcrError} `aborted` */
function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

/** An error in the detection of rules must not fail a read text. */
function drawnOrNothing(page: Pick<LaidPage, 'picture' | 'flat'>, fragments: readonly ReadFragment[]): Drawn {
  try {
    return drawnOn(
      page,
      fragments.flatMap(({ words, uprightWords }) =>
        words.map(({ text, confidence }, i) => ({ text, confidence, box: uprightWords[i]! })),
      ),
    );
  } catch {
    return NOTHING_DRAWN;
  }
}

/** Nor an error in the layout. */
function layoutOrNone(page: LaidPage): Layout {
  try {
    return layoutOf(page);
  } catch {
    return NO_LAYOUT;
  }
}

/** The places of words on the dewarped page, by word. */
function placesFor(
  fragments: readonly ReadFragment[],
  lines: readonly Line[],
  blocks: readonly number[],
): (word: Word) => WordPlace | undefined {
  const blockOf = new Map(
    lines.flatMap(({ words }, line) => words.map((word): [Word, number] => [word, blocks[line]!])),
  );
  const places = new Map(
    fragments.flatMap(({ words, uprightWords }) =>
      words.map((word, i): [Word, WordPlace] => [word, { box: uprightWords[i]!, block: blockOf.get(word)! }]),
    ),
  );
  return (word) => places.get(word);
}

/** Runs of letters that a dictionary covers: a single letter is in each. */
const KNOWABLE = /[\p{L}\p{M}]{2,}|\p{Script=Hangul}|\p{Script=Han}/gu;

/** The evidence about each word, for filtering. */
function evidenceFor(
  fragments: readonly ReadFragment[],
  lexicon: Lexicon,
  sought: ReadonlySet<Word>,
): (word: Word) => WordEvidence | undefined {
  const known = new Map<Word, WordEvidence>();
  for (const { words, upright } of fragments) {
    for (const word of words) {
      known.set(word, {
        known: (word.text.match(KNOWABLE) ?? []).some((run) => lexicon.has(run)),
        width: upright.width,
        height: upright.height,
        alone: words.length === 1,
        sought: sought.has(word),
      });
    }
  }
  return (word) => known.get(word);
}

import { required } from './checked.ts';
import { OCR_ERRORS, OcrError } from './errors.ts';
import { describeLanguage, isBlackletter, isVertical } from './languages/languages.ts';
import { type ArrangedPage, arrangePage } from './layout/arranged-page.ts';
import { isMonospaced } from './layout/code-ligatures.ts';
import { filterLines, type WordEvidence } from './layout/filter.ts';
import { lineOf, textOfLines, withTablesApart } from './layout/lines.ts';
import type { TextBox } from './layout/order/line-fragments.ts';
import type { OrderedLine, OrderOptions } from './layout/order/order.ts';
import type { OrderBoxes } from './layout/order/ordered-lines.ts';
import { pictorialMarks } from './layout/pictorial-marks.ts';
import type { ReadFragment } from './layout/place.ts';
import { spelledWithRuby } from './layout/ruby.ts';
import type { TextDetector, TextRegion } from './page/detect.ts';
import type { LineImage } from './page/line-image.ts';
import { noticesOf } from './page/notices.ts';
import type { OrientationClassifier } from './page/orient.ts';
import { findLines, type PageLines } from './page/page-lines.ts';
import type { Picture } from './picture/picture.ts';
import { fuseLine, meanConfidence } from './reading/fuse.ts';
import type { Lexicon } from './reading/lexicon.ts';
import { type LanguageIdentifier, lessSure, otherLanguage } from './reading/other-language.ts';
import { linesToClassify, type OfScript, otherScript, type ScriptShares } from './reading/other-script.ts';
import { trustOnPage } from './reading/page-trust.ts';
import { DOUBTFUL, readPage } from './reading/read-page.ts';
import { cropFor, type LineReadings, type Readers, scriptsOf } from './reading/recognize.ts';
import type { LineRecognizer, PageReader } from './reading/recognizer.ts';
import { type ReadRegion, regionsInQuestion, unreadNotice, unreadRegions } from './reading/unread.ts';
import { legibilityOf } from './reading/upside-down.ts';
import type { Trace } from './trace.ts';
import type { Line, Notice, Recognition, Stage, UnreadRegion, Word } from './types.ts';

/** The recognizers on worker threads, as the stages use them. */
export interface Recognizers {
  /** Number of useful parallel calls. */
  readonly size: number;
  /** The primary recognizer; `hasSecondary`: a secondary one reads the doubtful parts. */
  readerOf(languages: readonly string[], options: { hasSecondary: boolean }): PageReader;
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
  scriptsOf(lines: readonly LineImage[], signal: AbortSignal): Promise<ScriptShares[]>;
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
 * processed in the threads of sharp, onnxruntime and the recognizers. Long, because it is the list of all steps.
 * @throws {OcrError}
 */
export async function readPicture(
  bytes: Uint8Array,
  options: ReadOptions,
  context: PipelineContext,
): Promise<Recognition> {
  const startedAt = performance.now();
  const { trace } = context;
  const step = async <Result>(run: () => Promise<Result>, stage?: Stage): Promise<Result> => {
    if (stage) context.onStage(stage);
    const result = await run();
    throwIfAborted(context.signal);
    return result;
  };
  // First, so that missing data is reported before any work is done.
  const readers = await readersOf(options.languages, context);
  const { first, lexicon } = readers;
  const inColumns = options.languages.every(isVertical);

  const picture = await step(() => context.decode(bytes), { name: 'decoding' });
  trace?.decoded(picture);

  const page = await step(() => linesOf(picture, readers, context, { inColumns }), { name: 'finding-lines' });
  trace?.oriented(page);

  const readings = await step(() =>
    readPage(page, readers, {
      inColumns,
      thorough: options.thorough ?? false,
      onProgress: (line, of) => context.onStage({ name: 'reading', line, of }),
    }),
  );
  trace?.read(first, readings);

  const order: OrderBoxes = (boxes, how) => context.recognizers.order(boxes, how, context.signal);
  const arranged = await step(
    () => {
      const read = readings.map((reading) => ({
        image: reading.image,
        words: fuseLine(reading, lexicon, trace && ((word) => trace.chose(reading, word))),
      }));
      return arrangePage(picture, page, read, { inColumns, lexicon, order });
    },
    { name: 'ordering' },
  );
  for (const reading of trace ? readings : []) {
    const fragment = arranged.fragmentOf.get(reading.image.region);
    if (fragment) trace?.placed(reading, fragment);
  }
  trace?.ordered(arranged.lines);
  // A file without any readable part is reported as damaged.
  if (arranged.lines.length === 0 && picture.notices.some(({ code }) => code === 'incomplete'))
    throw new OcrError(OCR_ERRORS.damaged, 'no text is in the part of the picture that arrived');

  const fromSign = new Set(page.signs.flatMap((region) => arranged.fragmentOf.get(region)?.words ?? []));
  const marks =
    page.quarterTurns === 0 && !inColumns
      ? pictorialMarks(arranged.lines, { picture, ...page })
      : new Set<Word>();
  const filtered = options.filter
    ? filterLines(arranged.lines, evidenceFor(arranged.fragments, lexicon, { fromSign, marks }), {
        onHalftone: readings.some(({ isHalftone }) => isHalftone),
        monospaced: isMonospaced(arranged.lines),
      })
    : { lines: arranged.lines, hidden: [] };
  trace?.filtered(filtered);
  const layout = arranged.layout(filtered.lines);
  trace?.laidOut(layout);

  const outcomes = outcomesOf(page, readings, arranged);
  const script = await step(() => scriptOfText(arranged.lines, outcomes, options.languages, context));
  const { lines, likely } = await withPageConfidence(filtered.lines, options.languages, lexicon, context);
  const unread = inColumns ? [] : await step(() => unreadOf(outcomes, options.languages, context));
  const inOrder = withTablesApart(lines, layout).map(({ words, paragraph }) =>
    lineOf(words.map(spelledWithRuby), paragraph),
  );
  const confidence = meanConfidence(inOrder.flatMap((line) => line.words));
  // Vertical columns have the geometry of a turned page, but the page is upright.
  const turned = page.quarterTurns === 1 && inColumns ? 0 : page.quarterTurns;
  const language = script?.code ?? likely;
  const notRead = unreadNotice(unread);
  return {
    text: textOfLines(inOrder),
    confidence,
    lines: inOrder,
    hidden: filtered.hidden,
    unread,
    layout,
    image: { ...picture.original, rotation: (360 - turned * 90) % 360 },
    language: options.languages.join('+'),
    ...(language && { likelyLanguage: language }),
    notices: [
      ...picture.notices,
      ...noticesOf({ ...page, ...arranged.flat, turned, images: page.lines, lines: inOrder, confidence }),
      ...(language ? [readAsAnother(language, options.languages, script)] : []),
      ...(notRead ? [{ code: 'unread' as const, message: notRead }] : []),
    ],
    durationMs: performance.now() - startedAt,
  };
}

/** The recognizers and the lexicon of a text. @throws {OcrError} `language_unavailable` */
async function readersOf(
  languages: readonly string[],
  { lexiconOf, models, recognizers, signal }: PipelineContext,
): Promise<Readers> {
  const own = lexiconOf(languages);
  const checker = await models.recognizerFor(own.letters);
  return {
    first: recognizers.readerOf(languages, { hasSecondary: checker !== undefined }),
    // Nearly every page in another script has a name, an address or a unit in Latin letters.
    second: checker ?? (await models.latinAmongOthers(lexiconOf(AMONG_OTHERS).letters)),
    lexicon: checker ? own : lexiconOf([...new Set([...languages, ...AMONG_OTHERS])]),
    threads: recognizers.size,
    signal,
  };
}

/** The lines of the page, whose orientation the primary recognizer judges where the classifier is not sure. */
async function linesOf(
  picture: Picture,
  { first, signal }: Readers,
  { models, trace }: PipelineContext,
  { inColumns }: { inColumns: boolean },
): Promise<PageLines> {
  const legibility = async (lines: readonly LineImage[]) => {
    const crops = lines.map((line) => cropFor(first, line));
    return (await first.read(crops, signal)).map(legibilityOf);
  };
  const judges = { direction: await models.direction(), legibility };
  const onFound = trace && { onFound: (found: readonly TextRegion[]) => trace.found(found) };
  return findLines(picture, await models.detector(), judges, { inColumns, ...onFound });
}

/** What was read in each detected region, without ruby and those of a halftone ground. */
function outcomesOf(
  { lines }: PageLines,
  readings: readonly LineReadings[],
  { fragmentOf, ruby }: ArrangedPage,
): ReadRegion[] {
  return lines.flatMap((image, i): ReadRegion[] => {
    // A line that was read upside down has another image than the detected one, at the same index.
    const reading = readings[i]!;
    if (reading.isHalftone) return [];
    const fragment = fragmentOf.get(reading.image.region);
    // Single kana above a line look like letters of any script.
    if (fragment && ruby.has(fragment)) return [];
    const confidence = fragment && meanConfidence(fragment.words);
    return [{ image, confidence, scripts: scriptsOf(reading) }];
  });
}

/** Lines with the confidence that the whole page supports, and the language they are in, where it is another one. */
async function withPageConfidence(
  lines: readonly Line[],
  languages: readonly string[],
  lexicon: Lexicon,
  { identifyLanguage }: PipelineContext,
): Promise<{ lines: Line[]; likely: string | undefined }> {
  const shown = lines.flatMap((line) => line.words);
  const likely = await otherLanguage(shown, languages, lexicon, identifyLanguage);
  // The letters are Latin, but their shapes are not: "und" would be corrected to "unb".
  const trust = trustOnPage(shown, { blackletter: languages.some(isBlackletter) });
  const onPage = (word: Word) => ({ ...word, confidence: trust(word.confidence) });
  return {
    likely,
    lines: lines.map(({ words, paragraph }) =>
      lineOf(
        words.map((word) => (likely ? lessSure(onPage(word), lexicon) : onPage(word))),
        paragraph,
      ),
    ),
  };
}

/** Regions that hold text and were not read, with the reason where it is known. */
async function unreadOf(
  read: readonly ReadRegion[],
  languages: readonly string[],
  context: PipelineContext,
): Promise<UnreadRegion[]> {
  const asked = regionsInQuestion(read);
  if (asked.length === 0) return [];
  const shares = await identifiedScripts(asked, context);
  const own = new Set(languages.map((code) => describeLanguage(code).script));
  return unreadRegions(asked, shares, own);
}

/**
 * The language of a text, where it is in another script than it was read in; checked only after a reading with low
 * confidence.
 */
async function scriptOfText(
  lines: readonly Line[],
  regions: readonly ReadRegion[],
  languages: readonly string[],
  context: PipelineContext,
): Promise<OfScript | undefined> {
  if (!languages.every((code) => describeLanguage(code).script === 'Latn')) return undefined;
  const words = lines.flatMap((line) => line.words);
  if (words.length > 0 && meanConfidence(words) >= DOUBTFUL) return undefined;
  return otherScript(await identifiedScripts(linesToClassify(regions), context));
}

/** The script of each line; lines whose script is not known yet are read for it. @throws {OcrError} `aborted` */
async function identifiedScripts(
  lines: readonly ReadRegion[],
  { models, signal }: PipelineContext,
): Promise<ScriptShares[]> {
  const open = lines.filter(({ scripts }) => scripts === undefined);
  const images = open.map(({ image }) => image);
  const found = await models.scriptsOf(images, signal);
  throwIfAborted(signal);
  for (const [i, line] of open.entries()) line.scripts = found[i];
  return lines.map(({ scripts }) => required(scripts));
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

/** Runs of letters that a dictionary covers: a single letter is in each. */
const KNOWABLE = /[\p{L}\p{M}]{2,}|\p{Script=Hangul}|\p{Script=Han}/gu;

/** The evidence about each word, for filtering. */
function evidenceFor(
  fragments: readonly ReadFragment[],
  lexicon: Lexicon,
  { fromSign, marks }: Record<'fromSign' | 'marks', ReadonlySet<Word>>,
): (word: Word) => WordEvidence | undefined {
  const known = new Map<Word, WordEvidence>();
  for (const { words, upright } of fragments) {
    for (const word of words) {
      known.set(word, {
        known: (word.text.match(KNOWABLE) ?? []).some((run) => lexicon.has(run)),
        width: upright.width,
        height: upright.height,
        alone: words.length === 1,
        fromSign: fromSign.has(word),
        mark: marks.has(word),
      });
    }
  }
  return (word) => known.get(word);
}

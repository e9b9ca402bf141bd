import type { Box, Extraction } from '#contract/extraction';
import { ApiError, InvalidResponse, recognition } from '../../../api/client.ts';
import type { OnSent } from '../../../api/send-with-progress.ts';
import { afterPaint } from '../../../ui/basics/events.ts';
import { readingOfText } from '../../../workspace/plain-text-reading.ts';
import type { Attempt } from '../../../workspace/reading.ts';
import { deviceChoice } from '../tool/device-choice.ts';
import { connectionLost, type ExtractionAnswer } from '../tool/extraction-state.ts';
import { failureOf, watchStages } from './extraction-answer.ts';
import { readFindingLanguage } from './find-language.ts';

/** For those alone who want it. */
const loadDevice = () => import('../device/extract-on-device.ts');

/** The image as sent; `original` is the size of the chosen one if that was scaled down. */
export interface PreparedImage {
  file: File;
  original: { width: number; height: number } | null;
}

interface ProgressListeners {
  onSent: OnSent;
  onStage: (stage: string) => void;
}

/** One press under way, which may be sent more than once. */
export interface RunningExtraction {
  /** Failures of every kind are answers; only an abort through the signal rejects. */
  answer: Promise<ExtractionAnswer>;
  /** Sends it again in parallel with the pending request. It has the same key, so that it is read and counted once. */
  again(): void;
}

/** Sends a picture and waits for its text; the first answer with a text counts, or else the last one that comes. */
export function startExtraction(
  { file, original }: PreparedImage,
  attempt: Attempt,
  told: ProgressListeners,
  signal: AbortSignal,
): RunningExtraction {
  const { promise, resolve, reject } = deferred<ExtractionAnswer>();
  let tries = 0;
  let pending = 0;
  /** By the found language, so that a picture that is sent again is read in it once. */
  const keys = new Map<string | null, string>([[null, attempt.idempotencyKey]]);

  const send = async () => {
    const number = ++tries;
    pending += 1;
    await afterPaint();
    const onSent: OnSent = (bytes, of) => {
      if (number === tries) told.onSent(bytes, of);
    };
    const readIn = (languages: readonly string[], found: string | null) => {
      // Each try is followed under a name of its own: the end of one is not the end of the others.
      const extractionId = number === 1 && !found ? attempt.extractionId : crypto.randomUUID();
      const idempotencyKey = keys.get(found) ?? crypto.randomUUID();
      keys.set(found, idempotencyKey);
      const onStage = (stage: string) => told.onStage(found ? `${found} found. ${stage}` : stage);
      if (found) onStage('Reading the picture again');
      watchStages(extractionId, onStage, signal);
      return extractText(file, { ...attempt, languages, extractionId, idempotencyKey }, onSent, signal);
    };
    const read = async () => {
      if (deviceChoice.get()) {
        const { extractOnDevice } = await loadDevice();
        return extractOnDevice(file, attempt, told.onStage, signal);
      }
      return attempt.findsLanguage
        ? readFindingLanguage(file, attempt.languages, readIn)
        : readIn(attempt.languages, null);
    };
    const answer = await read();
    pending -= 1;
    if (!answer.ok && pending > 0) return;
    resolve(
      answer.ok && original ? { ...answer, extraction: onOriginal(answer.extraction, original) } : answer,
    );
  };
  const again = () => void send().catch(reject);
  again();
  return { answer: promise, again };
}

async function extractText(
  file: File,
  { extractionId, idempotencyKey, useFiltering, languages }: Attempt,
  onSent: OnSent,
  signal: AbortSignal,
): Promise<ExtractionAnswer> {
  try {
    const extraction = await recognition.ask('POST /api/extract-text', {
      headers: { 'idempotency-key': idempotencyKey },
      // The id goes before the file: the server reads the fields in order and reports from the first byte on.
      form: {
        extractionId,
        useFiltering: useFiltering ? 'true' : 'false',
        languages: languages.length > 0 ? languages.join('+') : undefined,
        file,
      },
      signal,
      onSent,
    });
    return { ok: true, extraction: await wholeExtraction(extraction, file) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ApiError) {
      return { ok: false, failure: failureOf(error.status, await error.details()) };
    }
    return {
      ok: false,
      failure: error instanceof InvalidResponse ? failureOf(200, {}) : connectionLost,
    };
  }
}

type Word = Extraction['lines'][number]['words'][number];

/** The same reading in pixels of the picture that was chosen, as if that had been sent. */
export function onOriginal(
  extraction: Extraction,
  { width, height }: { width: number; height: number },
): Extraction {
  const { image, notices } = extraction;
  const across = width / image.width;
  const down = height / image.height;
  const pointOf = ({ x, y }: { x: number; y: number }) => ({
    x: Math.round(x * across),
    y: Math.round(y * down),
  });
  const moved = <T extends { box: Box }>(part: T): T => ({
    ...part,
    box: {
      ...pointOf(part.box),
      width: Math.round(part.box.width * across),
      height: Math.round(part.box.height * down),
    },
  });
  const movedWord = ({ polygon, ...word }: Word): Word => ({
    ...moved(word),
    ...(polygon && { polygon: polygon.map(pointOf) }),
  });
  const { layout, unread } = extraction;
  return {
    ...extraction,
    image: { ...image, width, height },
    lines: extraction.lines.map((line) => ({ ...moved(line), words: line.words.map(movedWord) })),
    hidden: extraction.hidden.map(moved),
    ...(unread && { unread: unread.map(moved) }),
    ...(layout && {
      layout: {
        ...layout,
        tables: layout.tables.map((table) => ({ ...moved(table), cells: table.cells.map(moved) })),
        headings: layout.headings.map(moved),
        listItems: layout.listItems.map(moved),
        fields: layout.fields.map(moved),
      },
    }),
    notices: [...notices, SCALED_DOWN],
  };
}

/** The engine's notice if it scales a picture down itself. */
const SCALED_DOWN = {
  code: 'scaled_down',
  message: 'This picture is very large and was scaled down to be read.',
} as const;

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/**
 * An answer that may have only the specified fields, completed for the workspace: lines without places, and the
 * picture's size.
 */
async function wholeExtraction(extraction: Extraction, file: Blob): Promise<Extraction> {
  const { extractedText, lines, hidden, image, language } = extraction;
  if (image.width > 0) return extraction;
  const alone = readingOfText(extractedText, language);
  return {
    ...extraction,
    lines: lines.length + hidden.length > 0 ? lines : alone.lines,
    image: (await sizeOf(file)) ?? alone.image,
  };
}

/** Null for a picture that the browser cannot draw. */
async function sizeOf(file: Blob): Promise<Extraction['image'] | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height, rotation: 0 };
  } catch {
    return null;
  }
}

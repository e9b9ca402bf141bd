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

/** Loaded only if the user reads on the device. */
const loadDevice = () => import('../device/extract-on-device.ts');

/** The image to send. `original`: the size of the chosen image if it was scaled down; null otherwise. */
export interface PreparedImage {
  file: File;
  original: { width: number; height: number } | null;
}

interface ProgressListeners {
  onSent: OnSent;
  onStage: (stage: string) => void;
}

/** A running extraction. Its request may be sent more than once. */
export interface RunningExtraction {
  /** Failures resolve; the promise rejects only on abort. */
  answer: Promise<ExtractionAnswer>;
  /** Sends the request again in parallel with the pending one. The same key makes the server read and count it once. */
  resend(): void;
}

/** Sends a picture and waits for its text. Resolves with the first success, or with the last failure. */
export function startExtraction(
  { file, original }: PreparedImage,
  attempt: Attempt,
  listeners: ProgressListeners,
  signal: AbortSignal,
): RunningExtraction {
  const { promise, resolve, reject } = deferred<ExtractionAnswer>();
  let tries = 0;
  let pending = 0;
  /** Idempotency keys by found language, so that a resent picture is read once per language. */
  const keys = new Map<string | null, string>([[null, attempt.idempotencyKey]]);

  const send = async () => {
    const number = ++tries;
    pending += 1;
    await afterPaint();
    const onSent: OnSent = (bytes, of) => {
      if (number === tries) listeners.onSent(bytes, of);
    };
    const readIn = (languages: readonly string[], found: string | null) => {
      // Each request has a separate extraction id, so that the end of one does not end the progress of another.
      const extractionId = number === 1 && !found ? attempt.extractionId : crypto.randomUUID();
      const idempotencyKey = keys.get(found) ?? crypto.randomUUID();
      keys.set(found, idempotencyKey);
      const onStage = (stage: string) => listeners.onStage(found ? `${found} found. ${stage}` : stage);
      if (found) onStage('Reading the picture again');
      watchStages(extractionId, onStage, signal);
      return extractText(file, { ...attempt, languages, extractionId, idempotencyKey }, onSent, signal);
    };
    const read = async () => {
      if (deviceChoice.get()) {
        const { extractOnDevice } = await loadDevice();
        return extractOnDevice(file, attempt, listeners.onStage, signal);
      }
      return attempt.findsLanguage
        ? readFindingLanguage(file, attempt.languages, readIn)
        : readIn(attempt.languages, null);
    };
    const answer = await read();
    pending -= 1;
    if (!answer.ok && pending > 0) return;
    resolve(
      answer.ok && original
        ? { ...answer, extraction: scaleToOriginal(answer.extraction, original) }
        : answer,
    );
  };
  const resend = () => void send().catch(reject);
  resend();
  return { answer: promise, resend };
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
    return { ok: true, extraction: await completeExtraction(extraction, file) };
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

/** Converts an extraction of a scaled picture to pixels of the original picture. */
export function scaleToOriginal(
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

/** The same notice as the engine's when it scales a picture down. */
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
 * Completes an extraction that has only the required fields: adds lines without boxes and the picture's size for the
 * workspace.
 */
async function completeExtraction(extraction: Extraction, file: Blob): Promise<Extraction> {
  const { extractedText, lines, hidden, image, language } = extraction;
  if (image.width > 0) return extraction;
  const alone = readingOfText(extractedText, language);
  return {
    ...extraction,
    lines: lines.length + hidden.length > 0 ? lines : alone.lines,
    image: (await sizeOf(file)) ?? alone.image,
  };
}

/** The size of a picture; null if the browser cannot draw it. */
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

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { MappedText } from '#formats/pieces';
import { languageTags } from '#formats/positioned-text';
import { toUpright } from '#formats/upright';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import type { Target, TextMatch } from './find-in-text.ts';
import type { PictureCode } from './picture-codes.ts';

export interface Finding {
  key: string;
  target: Target;
  /** The matched part of the text, or the content of the code. */
  words: string;
  /** The kind of code, such as "QR code"; null for a match in the text. */
  code: string | null;
  /** The indices of its words as pieces. */
  pieces: readonly number[];
  box: Box | null;
  /** Lowest confidence of its doubtful words, 0 to 100; null without doubtful words. */
  lowestConfidence: number | null;
  /** The line of the text that contains it. */
  line: string;
}

/** Delay after typing before the text is searched again. */
const PAUSE_MS = 400;

interface FindingsOptions {
  document: TextDocument;
  extraction: Extraction;
  /** The URL of the picture's preview; null without one. */
  url: string | null;
  /** The picture's file; null if the browser cannot decode it. */
  file: File | null;
}

interface CodeMatch {
  code: PictureCode;
  target: Target;
}

export type BarcodeSearch = 'idle' | 'searching' | 'done' | 'failed';

export interface Findings {
  found: readonly Finding[];
  barcodes: BarcodeSearch;
  /** Searches for codes of every kind; null without a preview. */
  lookForBarcodes: (() => void) | null;
}

/**
 * Finds links, addresses, numbers, dates and codes in text and picture. Runs in this browser; its code is loaded
 * lazily.
 */
export function useFindings({ document, extraction, url, file }: FindingsOptions): Findings {
  const { mapped, pieces, doubtful } = document;
  const { text } = mapped;
  const { image, language } = extraction;
  const latest = useRef(mapped);
  useEffect(() => {
    latest.current = mapped;
  });
  /** The matches with the text that they are positions in, because typing changes the positions. */
  const [inText, setInText] = useState<(MappedText & { findings: readonly TextMatch[] }) | null>(null);
  const [codes, setCodes] = useState<readonly CodeMatch[]>([]);

  useEffect(() => {
    let isCancelled = false;
    const look = async () => {
      const { findInText } = await import('./find-in-text.ts');
      const country = new Intl.Locale(navigator.language).maximize().region ?? null;
      const findings = await findInText(text, { languages: languageTags(language), country });
      if (!isCancelled && latest.current.text === text) setInText({ ...latest.current, findings });
    };
    // If the code cannot be loaded, the page shows no findings.
    const timer = setTimeout(() => look().catch(() => {}), PAUSE_MS);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [text, language]);

  useEffect(() => {
    if (!url) return;
    const abortController = new AbortController();
    const look = async () => {
      const [{ findQrCodes }, { targetOf }] = await Promise.all([
        import('./code-searches.ts'),
        import('./find-in-text.ts'),
      ]);
      const found = await findQrCodes({ url, file }, image, abortController.signal);
      setCodes(found.map((code) => ({ code, target: targetOf(code.text) })));
    };
    look().catch(() => {});
    return () => abortController.abort();
  }, [url, file, image]);
  const { barcodes, barcodeMatches, look } = useBarcodes({ url, file }, image);

  const found = useMemo(() => {
    const doubts = new Set(doubtful);
    const seen = new Map<string, number>();
    const { text, marks, findings } = inText ?? { text: '', marks: [], findings: [] };
    const ofText = findings.map((finding): Finding => {
      const words = text.slice(finding.start, finding.end);
      const name = `${finding.kind} ${words}`;
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      const within = marks.filter(({ start, end }) => start < finding.end && end > finding.start);
      const confidences = within
        .filter(({ piece }) => doubts.has(piece))
        .map(({ piece }) => itemAt(pieces, piece).confidence);
      return {
        key: `${name} ${times}`,
        target: finding,
        words,
        code: null,
        pieces: within.map(({ piece }) => piece),
        box: null,
        lowestConfidence: confidences.length > 0 ? Math.min(...confidences) : null,
        line: text.slice(text.lastIndexOf('\n', finding.start - 1) + 1).split('\n', 1)[0] ?? words,
      };
    });
    // The barcode decoder also finds QR codes: omit duplicates.
    const more = barcodeMatches.filter(({ code }) => !codes.some((other) => other.code.text === code.text));
    const ofCodes = [...codes, ...more].map(
      ({ code, target }, index): Finding => ({
        key: `code ${index}`,
        target,
        words: code.text,
        code: code.name,
        pieces: [],
        box: toUpright(code.box, image),
        lowestConfidence: null,
        line: code.text,
      }),
    );
    return [...ofCodes, ...ofText];
  }, [inText, codes, barcodeMatches, pieces, doubtful, image]);
  return { found, barcodes, lookForBarcodes: url === null ? null : look };
}

/** The search for bar codes, which the user starts. */
function useBarcodes({ url, file }: Pick<FindingsOptions, 'url' | 'file'>, image: Extraction['image']) {
  const [barcodes, setBarcodes] = useState<BarcodeSearch>('idle');
  const [barcodeMatches, setBarcodeMatches] = useState<readonly CodeMatch[]>([]);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const look = useEventCallback(async () => {
    if (url === null) return;
    const controller = new AbortController();
    leaving.current = controller;
    setBarcodes('searching');
    try {
      const [{ findBarcodes }, { targetOf }] = await Promise.all([
        import('./code-searches.ts'),
        import('./find-in-text.ts'),
      ]);
      const found = await findBarcodes({ url, file }, image, controller.signal);
      setBarcodeMatches(found.map((code) => ({ code, target: targetOf(code.text) })));
      setBarcodes('done');
    } catch {
      if (!controller.signal.aborted) setBarcodes('failed');
    }
  });
  return { barcodes, barcodeMatches, look };
}

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { MappedText } from '#formats/pieces';
import { languageTags } from '#formats/transcript';
import { toUpright } from '#formats/upright';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import type { Finding, Target } from './find-in-text.ts';
import type { PictureCode } from './picture-codes.ts';

export interface Found {
  key: string;
  target: Target;
  /** As it stands in the text, or as the code says it. */
  words: string;
  /** The kind of code, such as "QR code"; null for what stands in the text. */
  code: string | null;
  /** The words that it is made of, as pieces. */
  pieces: readonly number[];
  box: Box | null;
  /** 0 to 100: how sure the least sure of its words is, where that is little; null where nothing is in doubt. */
  doubt: number | null;
  /** The line of the text that it stands in. */
  line: string;
}

/** The pause in typing before the text is searched again. */
const PAUSE_MS = 400;

interface FindingsOptions {
  document: TextDocument;
  extraction: Extraction;
  /** Where the picture is shown from; null while and where it is not. */
  url: string | null;
  /** The picture's file; null where the browser does not draw it itself. */
  file: File | null;
}

interface FoundCode {
  code: PictureCode;
  target: Target;
}

export type BarcodeSearch = 'idle' | 'searching' | 'done' | 'failed';

export interface Findings {
  found: readonly Found[];
  barcodes: BarcodeSearch;
  /** Looks for codes of every kind; null where the picture cannot be shown. */
  lookForBarcodes: (() => void) | null;
}

/** Things in text and picture that can be acted on, found in this browser, with code loaded for it. */
export function useFindings({ document, extraction, url, file }: FindingsOptions): Findings {
  const { mapped, pieces, doubtful } = document;
  const { text } = mapped;
  const { image, language } = extraction;
  const latest = useRef(mapped);
  useEffect(() => {
    latest.current = mapped;
  });
  /** With the text that it was found in: while the user types, its place changes. */
  const [inText, setInText] = useState<(MappedText & { findings: readonly Finding[] }) | null>(null);
  const [codes, setCodes] = useState<readonly FoundCode[]>([]);

  useEffect(() => {
    let left = false;
    const look = async () => {
      const { findInText } = await import('./find-in-text.ts');
      const country = new Intl.Locale(navigator.language).maximize().region ?? null;
      const findings = await findInText(text, { languages: languageTags(language), country });
      if (!left && latest.current.text === text) setInText({ ...latest.current, findings });
    };
    // What cannot be fetched is not offered.
    const timer = setTimeout(() => look().catch(() => {}), PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [text, language]);

  useEffect(() => {
    if (!url) return;
    const leaving = new AbortController();
    const look = async () => {
      const [{ findQrCodes }, { targetOf }] = await Promise.all([
        import('./code-searches.ts'),
        import('./find-in-text.ts'),
      ]);
      const found = await findQrCodes({ url, file }, image, leaving.signal);
      setCodes(found.map((code) => ({ code, target: targetOf(code.text) })));
    };
    look().catch(() => {});
    return () => leaving.abort();
  }, [url, file, image]);
  const { barcodes, bars, look } = useBarcodes({ url, file }, image);

  const found = useMemo(() => {
    const doubts = new Set(doubtful);
    const seen = new Map<string, number>();
    const { text, marks, findings } = inText ?? { text: '', marks: [], findings: [] };
    const ofText = findings.map((finding): Found => {
      const words = text.slice(finding.start, finding.end);
      const name = `${finding.kind} ${words}`;
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      const within = marks.filter(({ start, end }) => start < finding.end && end > finding.start);
      const sure = within
        .filter(({ piece }) => doubts.has(piece))
        .map(({ piece }) => itemAt(pieces, piece).confidence);
      return {
        key: `${name} ${times}`,
        target: finding,
        words,
        code: null,
        pieces: within.map(({ piece }) => piece),
        box: null,
        doubt: sure.length > 0 ? Math.min(...sure) : null,
        line: text.slice(text.lastIndexOf('\n', finding.start - 1) + 1).split('\n', 1)[0] ?? words,
      };
    });
    // The reader of all kinds finds what the small one has found, too.
    const more = bars.filter(({ code }) => !codes.some((other) => other.code.text === code.text));
    const ofCodes = [...codes, ...more].map(
      ({ code, target }, index): Found => ({
        key: `code ${index}`,
        target,
        words: code.text,
        code: code.name,
        pieces: [],
        box: toUpright(code.box, image),
        doubt: null,
        line: code.text,
      }),
    );
    return [...ofCodes, ...ofText];
  }, [inText, codes, bars, pieces, doubtful, image]);
  return { found, barcodes, lookForBarcodes: url === null ? null : look };
}

/** The search for bar codes, which begins with a press. */
function useBarcodes({ url, file }: Pick<FindingsOptions, 'url' | 'file'>, image: Extraction['image']) {
  const [barcodes, setBarcodes] = useState<BarcodeSearch>('idle');
  const [bars, setBars] = useState<readonly FoundCode[]>([]);
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
      setBars(found.map((code) => ({ code, target: targetOf(code.text) })));
      setBarcodes('done');
    } catch {
      if (!controller.signal.aborted) setBarcodes('failed');
    }
  });
  return { barcodes, bars, look };
}

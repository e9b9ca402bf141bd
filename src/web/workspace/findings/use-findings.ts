import { useEffect, useMemo, useRef, useState } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { MappedText } from '#formats/pieces';
import { languageTags } from '#formats/transcript';
import { toUpright } from '#formats/upright';
import type { TextDocument } from '../text/use-text-document.ts';
import type { Finding, Target } from './find-in-text.ts';
import type { QrCode } from './qr-worker.ts';

export interface Found {
  key: string;
  target: Target;
  /** As it stands in the text, or as the code says it. */
  words: string;
  isCode: boolean;
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
}

/** Things in text and picture that can be acted on, found in this browser, with code loaded for it. */
export function useFindings({ document, extraction, url }: FindingsOptions): readonly Found[] {
  const { mapped, pieces, doubtful } = document;
  const { text } = mapped;
  const { image, language } = extraction;
  const latest = useRef(mapped);
  useEffect(() => {
    latest.current = mapped;
  });
  /** With the text that it was found in: while the user types, its place changes. */
  const [inText, setInText] = useState<(MappedText & { findings: readonly Finding[] }) | null>(null);
  const [codes, setCodes] = useState<readonly { code: QrCode; target: Target }[]>([]);

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
      const [{ qrCodesOf }, { targetOf }] = await Promise.all([
        import('./qr-codes.ts'),
        import('./find-in-text.ts'),
      ]);
      const found = await qrCodesOf(url, image, leaving.signal);
      setCodes(found.map((code) => ({ code, target: targetOf(code.text) })));
    };
    look().catch(() => {});
    return () => leaving.abort();
  }, [url, image]);

  return useMemo(() => {
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
        .map(({ piece }) => pieces[piece]!.confidence);
      return {
        key: `${name} ${times}`,
        target: finding,
        words,
        isCode: false,
        pieces: within.map(({ piece }) => piece),
        box: null,
        doubt: sure.length > 0 ? Math.min(...sure) : null,
        line: text.slice(text.lastIndexOf('\n', finding.start - 1) + 1).split('\n', 1)[0] ?? words,
      };
    });
    const ofCodes = codes.map(
      ({ code, target }, index): Found => ({
        key: `code ${index}`,
        target,
        words: code.text,
        isCode: true,
        pieces: [],
        box: toUpright(code.box, image),
        doubt: null,
        line: code.text,
      }),
    );
    return [...ofCodes, ...ofText];
  }, [inText, codes, pieces, doubtful, image]);
}

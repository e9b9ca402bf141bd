import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { Extraction } from '#contract/extraction';
import { quarterTurns, uprightSize } from '#formats/upright';

interface PrintedPicture {
  url: string;
  image: Extraction['image'];
}

interface PrintSheetProps {
  name: string;
  now: () => string;
  /** Null where there is none, or none that can be shown. */
  picture: PrintedPicture | null;
}

/**
 * The printed page: the text, and the upright picture below it. Rendered only for printing: otherwise all of the text
 * would be written into the document again with every letter.
 */
export function PrintSheet({ name, now, picture }: PrintSheetProps) {
  const [text, setText] = useState('');
  const write = useEffectEvent(() => flushSync(() => setText(now())));
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    matchMedia('print').addEventListener('change', () => write(), { signal });
    window.addEventListener('beforeprint', () => write(), { signal });
    return () => listening.abort();
  }, []);
  return createPortal(
    <div className="print-sheet" aria-hidden="true">
      <p className="print-name">{name}</p>
      <div dir="auto" className="print-text">
        {text}
      </div>
      {picture && <PrintedPicture {...picture} />}
    </div>,
    document.body,
  );
}

function PrintedPicture({ url, image }: PrintedPicture) {
  const { width, height } = uprightSize(image);
  const turns = quarterTurns(image);
  const isAside = turns % 2 === 1;
  return (
    <div
      className="print-picture"
      style={{ aspectRatio: `${width} / ${height}`, maxWidth: `${(width / height) * 24}cm` }}
    >
      <img
        src={url}
        alt=""
        style={{
          width: isAside ? `${(100 * height) / width}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  );
}

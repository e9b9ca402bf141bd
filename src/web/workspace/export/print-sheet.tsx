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
  currentText: () => string;
  /** Null without a picture that the browser can show. */
  picture: PrintedPicture | null;
}

/**
 * The printed page: the text, and the upright picture below it. The text is updated only before printing, because otherwise
 * all of it would be re-rendered on every keystroke.
 */
export function PrintSheet({ name, currentText, picture }: PrintSheetProps) {
  const [text, setText] = useState('');
  const renderText = useEffectEvent(() => flushSync(() => setText(currentText())));
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    matchMedia('print').addEventListener('change', () => renderText(), { signal });
    window.addEventListener('beforeprint', () => renderText(), { signal });
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
  const isQuarterTurned = turns % 2 === 1;
  return (
    <div
      className="print-picture"
      style={{ aspectRatio: `${width} / ${height}`, maxWidth: `${(width / height) * 24}cm` }}
    >
      <img
        src={url}
        alt=""
        style={{
          width: isQuarterTurned ? `${(100 * height) / width}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
        }}
      />
    </div>
  );
}

import { createPortal } from 'react-dom';
import { quarterTurns, uprightSize } from '#formats/upright';
import type { Reading } from './extraction-state.ts';
import type { Preview } from './use-preview.ts';

interface PrintSheetProps {
  reading: Reading;
  preview: Preview;
  /** As it stands, edits included. */
  text: string;
}

/** What a printer gets in place of the page: the text, and the picture upright below it. Seen on paper only. */
export function PrintSheet({ reading, preview, text }: PrintSheetProps) {
  const { picture, extraction } = reading;
  const { width, height } = uprightSize(extraction.image);
  const turns = quarterTurns(extraction.image);
  const isAside = turns % 2 === 1;
  return createPortal(
    <div className="print-sheet" aria-hidden="true">
      <p className="print-name">{picture.file.name}</p>
      <div dir="auto" className="print-text">
        {text}
      </div>
      {preview.status === 'ready' && (
        <div
          className="print-picture"
          style={{ aspectRatio: `${width} / ${height}`, maxWidth: `${(width / height) * 24}cm` }}
        >
          <img
            src={preview.url}
            alt=""
            style={{
              width: isAside ? `${(100 * height) / width}%` : '100%',
              transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
            }}
          />
        </div>
      )}
    </div>,
    document.body,
  );
}

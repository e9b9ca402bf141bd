import encode from 'qr';

interface QrCodeProps {
  text: string;
  label: string;
}

/** Modules of white around the code, which a camera needs to find it. */
const QUIET = 4;

/** Dark on light in either theme: many apps read no inverted code. */
export function QrCode({ text, label }: QrCodeProps) {
  const rows = encode(text, 'raw', { border: QUIET });
  const dark = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-sheet border border-rule-strong bg-scan-ground"
    >
      <path d={dark} className="fill-on-scan-ground" />
    </svg>
  );
}

import encode from 'qr';

interface QrCodeProps {
  text: string;
  label: string;
}

/** The quiet zone: the white border around the code, in modules. A scanner needs it to find the code. */
const QUIET_ZONE = 4;

/** Dark on light in both color schemes, because many apps cannot read an inverted code. */
export function QrCode({ text, label }: QrCodeProps) {
  const rows = encode(text, 'raw', { border: QUIET_ZONE });
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

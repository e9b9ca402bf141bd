const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** Bytes as people read them, in steps of 1024: "812 bytes", "1.4 MB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const rounded = step === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${rounded} ${bytes === 1 ? 'byte' : UNITS[step]}`;
}

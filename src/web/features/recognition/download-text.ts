const two = (value: number) => String(value).padStart(2, '0');

/** `extracted-text-2025-03-09-140507.txt`, by the clock of whoever keeps the file. */
export function textFileName(now: Date): string {
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('');
  return `extracted-text-${date}-${time}.txt`;
}

/** Saves a text as a plain text file in UTF-8. */
export function downloadText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = textFileName(new Date());
  link.click();
  // The download has its own hold on the blob once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

const two = (value: number) => String(value).padStart(2, '0');

/** `extracted-text-2025-03-09-140507.txt`, in local time. */
export function textFileName(now: Date, extension: string): string {
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('');
  return `extracted-text-${date}-${time}.${extension}`;
}

interface FileToSave {
  content: string | Uint8Array<ArrayBuffer>;
  mediaType: string;
  extension: string;
}

/** Saves a file as a browser saves a download. Text is stored in UTF-8. */
export function saveFile({ content, mediaType, extension }: FileToSave): void {
  const address = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = textFileName(new Date(), extension);
  link.click();
  // The download has its own hold on the blob once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

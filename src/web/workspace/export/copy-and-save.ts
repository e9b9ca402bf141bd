import { toast } from '../../ui/toast/toast-store.ts';

/**
 * Copies a text and announces it; where that is not allowed, the message says what to do instead, and the result is
 * false. `formatted`: the same as HTML, for pasting with headings and tables; without it, the text is copied alone.
 * HTML that is there already keeps its styles; HTML that has to be fetched must have none.
 */
export async function copyText(
  text: string,
  formatted?: string | (() => Promise<string>),
  done = 'Text copied to clipboard',
): Promise<boolean> {
  try {
    const isCopied =
      typeof formatted === 'string'
        ? copyAtOnce(text, formatted)
        : formatted !== undefined && (await copyBoth(text, formatted));
    if (!isCopied) await navigator.clipboard.writeText(text);
  } catch {
    toast({
      title: 'Copy failed',
      description: 'Please select and copy the text manually',
      variant: 'destructive',
    });
    return false;
  }
  toast({ title: 'Copied!', description: done });
  return true;
}

/** The event of a copy takes HTML as it is. The clipboard's own interface parses it here, where the content policy forbids styles. */
function copyAtOnce(text: string, html: string): boolean {
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    event.clipboardData?.setData('text/plain', text);
    event.clipboardData?.setData('text/html', html);
  };
  document.addEventListener('copy', put, { capture: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put, { capture: true });
  }
}

async function copyBoth(text: string, formatted: () => Promise<string>): Promise<boolean> {
  if (typeof ClipboardItem === 'undefined' || !('write' in navigator.clipboard)) return false;
  // A promise within the item: waiting for its code first would be too long after the press for some browsers.
  const html = formatted().then((content) => new Blob([content], { type: 'text/html' }));
  html.catch(() => {});
  try {
    const plain = new Blob([text], { type: 'text/plain' });
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain, 'text/html': html })]);
    return true;
  } catch {
    return false;
  }
}

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

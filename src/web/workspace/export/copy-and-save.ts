import { toast } from '../../ui/toast/toast-store.ts';

/**
 * Copies a text and shows a message. If copying is not allowed, the message says what to do instead.
 * @param formatted the text as HTML, for pasting with headings and tables. A string is copied through the copy event and
 * may have inline styles. The result of a function goes through the Clipboard API, where the content security policy
 * forbids them.
 * @returns whether it was copied
 */
export async function copyText(
  text: string,
  formatted?: string | (() => Promise<string>),
  done = 'Text copied to clipboard',
): Promise<boolean> {
  try {
    const isCopied =
      typeof formatted === 'string'
        ? copyByEvent(text, formatted)
        : formatted !== undefined && (await copyByClipboardApi(text, formatted));
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

/**
 * The copy event takes HTML unchanged. The Clipboard API sanitizes it in this document, where the content security
 * policy forbids styles.
 */
function copyByEvent(text: string, html: string): boolean {
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

async function copyByClipboardApi(text: string, formatted: () => Promise<string>): Promise<boolean> {
  if (typeof ClipboardItem === 'undefined' || !('write' in navigator.clipboard)) return false;
  // The item gets a promise, because some browsers allow writing only shortly after the press.
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

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `extracted-text-2025-03-09-140507.txt`, in local time. */
export function textFileName(now: Date, extension: string): string {
  const date = [now.getFullYear(), twoDigits(now.getMonth() + 1), twoDigits(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('');
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
  // The browser keeps the blob for the download once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address));
}

import { toast } from '../../../ui/toast/toast-store.ts';
import { callWorker } from '../../../workers/call-worker.ts';
import { kindOf } from '../documents/file-kind.ts';
import type { Rejection } from '../tool/image-file.ts';
import type { AddressFailure, AddressTask } from './address-worker.ts';
import addressWorker from './address-worker.ts?worker&url';

/*
 * Pictures that are not chosen as files: from a pasted URL, from the clipboard after a click on “Paste a picture”, and from the
 * system's camera.
 */

/** The limit of a chosen PDF. */
const MAX_BYTES = 100 * 1024 ** 2;

const NOTHING_PASTED: Rejection = {
  title: 'Nothing to paste',
  description: 'Copy a picture first, and allow this page to paste it',
};
const NO_PICTURE_PASTED: Rejection = {
  title: 'No picture was pasted',
  description: 'Copy a picture, a PDF or the address of one, not a text, and paste it here.',
};

const ALTERNATIVE = 'Save the picture and drop it here, or copy the picture itself and paste it.';

const notFetched = (reason: string): Rejection => ({
  title: 'The picture could not be fetched',
  description: `${reason} ${ALTERNATIVE}`,
});

const FAILURE_TEXTS: Readonly<Record<AddressFailure, (host: string) => string>> = {
  'not-allowed': (host) => `${host} does not allow other sites to read its pictures, or cannot be reached.`,
  'not-found': (host) => `${host} has nothing at this address, or shows it only to signed-in users.`,
  'too-large': () => `The file is larger than ${MAX_BYTES / 1024 ** 2} MB.`,
};

/**
 * The picture or PDF at a pasted URL, or the reason why there is none. This browser fetches it directly from the site,
 * without our server.
 */
export async function pictureAt(pasted: string): Promise<File | Rejection> {
  const address = addressIn(pasted);
  if (!address) return NO_PICTURE_PASTED;
  if (address.protocol === 'http:') return notFetched('Pictures are fetched from addresses with https only.');
  const host = address.host || 'The address';
  const notice = toast({
    title: 'Fetching the picture',
    description: `Your browser fetches it directly from ${host}`,
  });
  const task: AddressTask = { address: address.href, bytes: MAX_BYTES };
  const found = await callWorker<AddressTask, Blob | AddressFailure>(addressWorker, task).catch(
    () => 'not-allowed' as const,
  );
  notice.dismiss();
  if (typeof found === 'string') return notFetched(FAILURE_TEXTS[found](host));
  const kind = await kindOf(new File([found], ''));
  const name = nameOf(address);
  if (kind?.is === 'picture') return new File([found], name, { type: kind.type });
  if (kind?.hasPages) return new File([found], name, { type: 'application/pdf' });
  return notFetched('There is no picture at this address, but a page or another file.');
}

function addressIn(pasted: string): URL | null {
  const text = pasted.trim();
  if (!/^(?:https?:\/\/|data:image\/)\S+$/i.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The last part of the path, as a file name. */
function nameOf({ protocol, pathname }: URL): string {
  const last = protocol === 'data:' ? '' : (pathname.split('/').at(-1) ?? '');
  try {
    return decodeURIComponent(last) || 'pasted';
  } catch {
    return last;
  }
}

/** The picture in the clipboard, or at the URL in it; or the reason why there is none. */
export async function fromClipboard(): Promise<File | Rejection> {
  try {
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((each) => each.startsWith('image/'));
      if (type)
        return new File([await item.getType(type)], `pasted.${type.slice('image/'.length)}`, { type });
      if (!item.types.includes('text/plain')) continue;
      const text = await (await item.getType('text/plain')).text();
      if (addressIn(text)) return await pictureAt(text);
    }
  } catch {
    // The user or the browser has denied the permission.
  }
  return NOTHING_PASTED;
}

/**
 * A photo of the system's camera, for pages that may not use the camera themselves. The temporary file input is not in the
 * page, so that the page has only one. Never resolves if no photo is taken.
 */
export function photograph(): Promise<File> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.capture = 'environment';
  return new Promise((resolve) => {
    input.onchange = () => {
      const file = input.files?.[0];
      if (file) resolve(file);
    };
    input.click();
  });
}

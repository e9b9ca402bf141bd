/**
 * The files of the engine on this device. They are fetched when a visitor turns the switch on, verified, and stored in the
 * browser's cache under their hashes until the visitor removes them.
 */
import english from '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz?url';
import runtime from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { ENGINE_FILES, type EngineFile, type EngineFiles } from '#ocr/browser/files';
import lastLayer from '../../../../../.cache/networks/last-layer.json?url';
import detection from '../../../../../scripts/networks/published/detection.onnx?url';
import direction from '../../../../../scripts/networks/published/direction.onnx?url';
import recognition from '../../../../../scripts/networks/published/recognition.onnx?url';
import { DEVICE_CACHE } from '../../../offline/registration.ts';
import pinned from './device-files.json' with { type: 'json' };

const ADDRESSES: Readonly<Record<EngineFile, string>> = {
  'detection.onnx': detection,
  'direction.onnx': direction,
  'recognition.onnx': recognition,
  'last-layer.json': lastLayer,
  'eng.traineddata': english,
  'ort-wasm-simd-threaded.wasm': runtime,
};

/** Total bytes of the stored files. */
export const DEVICE_BYTES = ENGINE_FILES.reduce((sum, name) => sum + pinned[name].bytes, 0);

/** The folder of the engine's files in the cache. Languages have another one. */
const FOLDER = '/device/';
const cacheKeyOf = (name: EngineFile) => `${FOLDER}${pinned[name].sha256}`;

/** Whether all files are on this device. */
export async function hasDeviceFiles(): Promise<boolean> {
  if (!('caches' in globalThis) || !(await caches.has(DEVICE_CACHE))) return false;
  const cache = await caches.open(DEVICE_CACHE);
  const found = await Promise.all(ENGINE_FILES.map((name) => cache.match(cacheKeyOf(name))));
  return found.every((file) => file !== undefined);
}

/** Whether the HEIC decoder is on this device. It is fetched with the first HEIC picture that the browser cannot open. */
export async function hasHeicDecoder(): Promise<boolean> {
  if (!('caches' in globalThis) || !(await caches.has(DEVICE_CACHE))) return false;
  const stored = await (await caches.open(DEVICE_CACHE)).keys();
  return stored.some(({ url }) => url.includes('/heic-worker-'));
}

/** Removes the engine's files with all languages and scripts. */
export const removeDeviceFiles = (): Promise<boolean> => caches.delete(DEVICE_CACHE);

/**
 * Opens all files, and fetches those that are not stored on this device. Each received file is stored, so that only the
 * missing ones are fetched after an interruption.
 * @param onBytes gets the number of bytes received so far, of `DEVICE_BYTES`
 */
export async function openDeviceFiles(
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<EngineFiles> {
  const cache = await caches.open(DEVICE_CACHE);
  await deleteOldFiles(cache);
  let received = 0;
  const files = new Map<EngineFile, Uint8Array<ArrayBuffer>>();
  for (const name of ENGINE_FILES) {
    const before = received;
    const kept = await cache.match(cacheKeyOf(name));
    const bytes = kept
      ? new Uint8Array(await kept.arrayBuffer())
      : await readVerified(await fetch(ADDRESSES[name], { signal }), pinned[name], (count) =>
          onBytes(before + count),
        );
    if (!kept) await cache.put(cacheKeyOf(name), new Response(bytes));
    received += pinned[name].bytes;
    onBytes(received);
    files.set(name, name === 'eng.traineddata' ? await gunzip(bytes) : bytes);
  }
  return Object.fromEntries(files) as Record<EngineFile, Uint8Array<ArrayBuffer>>;
}

/** Deletes files of an older version. The service worker manages the scripts in this cache. */
async function deleteOldFiles(cache: Cache): Promise<void> {
  const current = new Set(ENGINE_FILES.map(cacheKeyOf));
  const isFormer = ({ url }: Request) => {
    const { pathname } = new URL(url);
    return pathname.startsWith(FOLDER) && !current.has(pathname);
  };
  const stored = await cache.keys();
  await Promise.all(stored.filter(isFormer).map((request) => cache.delete(request)));
}

/**
 * Reads the body of a response.
 * @param onBytes gets the number of bytes received so far
 * @throws if the size or the hash is wrong
 */
export async function readVerified(
  answer: Response,
  { bytes: size, sha256 }: { bytes: number; sha256: string },
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { ok, body, status, url } = answer;
  if (!ok || !body) throw new Error(`${url}: status ${status}`);
  const bytes = new Uint8Array(size);
  let received = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (received + part.value.length > size) throw new Error(`${url} is longer than it should be`);
    bytes.set(part.value, received);
    received += part.value.length;
    onBytes(received);
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== sha256) throw new Error(`${url} has a wrong hash`);
  return bytes;
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

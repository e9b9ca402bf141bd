/**
 * The files of the engine on this device: fetched when a visitor asks for them, verified, and kept in the browser under
 * their hashes until they are removed.
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

/** Bytes of all files, as they are stored. */
export const DEVICE_BYTES = ENGINE_FILES.reduce((sum, name) => sum + pinned[name].bytes, 0);

/** Of the engine's files alone: languages stand in another. */
const FOLDER = '/device/';
const keyOf = (name: EngineFile) => `${FOLDER}${pinned[name].sha256}`;

/** Whether all files are on this device. */
export async function hasDeviceFiles(): Promise<boolean> {
  if (!('caches' in globalThis) || !(await caches.has(DEVICE_CACHE))) return false;
  const cache = await caches.open(DEVICE_CACHE);
  const found = await Promise.all(ENGINE_FILES.map((name) => cache.match(keyOf(name))));
  return found.every((file) => file !== undefined);
}

/** Whether the decoder of HEIC, which comes with the first one that a browser does not open, is on this device. */
export async function hasHeicDecoder(): Promise<boolean> {
  if (!('caches' in globalThis) || !(await caches.has(DEVICE_CACHE))) return false;
  const stored = await (await caches.open(DEVICE_CACHE)).keys();
  return stored.some(({ url }) => url.includes('/heic-worker-'));
}

/** Removes them, with all languages and scripts. */
export const removeDeviceFiles = (): Promise<boolean> => caches.delete(DEVICE_CACHE);

/**
 * All files, from this device as far as they are here. A file that has arrived is kept: after an interruption the others are
 * fetched.
 * @param onBytes bytes that have arrived so far, of `DEVICE_BYTES`
 */
export async function openDeviceFiles(
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<EngineFiles> {
  const cache = await caches.open(DEVICE_CACHE);
  await forgetOthers(cache);
  let arrived = 0;
  const files = new Map<EngineFile, Uint8Array<ArrayBuffer>>();
  for (const name of ENGINE_FILES) {
    const before = arrived;
    const kept = await cache.match(keyOf(name));
    const bytes = kept
      ? new Uint8Array(await kept.arrayBuffer())
      : await verified(await fetch(ADDRESSES[name], { signal }), pinned[name], (count) =>
          onBytes(before + count),
        );
    if (!kept) await cache.put(keyOf(name), new Response(bytes));
    arrived += pinned[name].bytes;
    onBytes(arrived);
    files.set(name, name === 'eng.traineddata' ? await unzipped(bytes) : bytes);
  }
  return Object.fromEntries(files) as Record<EngineFile, Uint8Array<ArrayBuffer>>;
}

/** Files of a former version. The scripts in this cache are the service worker's. */
async function forgetOthers(cache: Cache): Promise<void> {
  const current = new Set(ENGINE_FILES.map(keyOf));
  const isFormer = ({ url }: Request) => {
    const { pathname } = new URL(url);
    return pathname.startsWith(FOLDER) && !current.has(pathname);
  };
  const stored = await cache.keys();
  await Promise.all(stored.filter(isFormer).map((request) => cache.delete(request)));
}

/**
 * The bytes of an answer.
 * @param onBytes bytes that have arrived so far
 * @throws where it is not what it should be
 */
export async function verified(
  answer: Response,
  { bytes: size, sha256 }: { bytes: number; sha256: string },
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { ok, body, status, url } = answer;
  if (!ok || !body) throw new Error(`${url} was answered with ${status}`);
  const bytes = new Uint8Array(size);
  let arrived = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (arrived + part.value.length > size) throw new Error(`${url} is longer than it should be`);
    bytes.set(part.value, arrived);
    arrived += part.value.length;
    onBytes(arrived);
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== sha256) throw new Error(`${url} has another hash than it should have`);
  return bytes;
}

async function unzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

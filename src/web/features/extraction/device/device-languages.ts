/**
 * The data of additional languages on this device. It is fetched from the server with the first picture in the language,
 * verified, and stored with the engine's files.
 */

import type { Progress } from '#contract/extraction';
import type { LanguageData } from '#contract/languages';
import { ApiError, recognition } from '../../../api/client.ts';
import { DEVICE_CACHE } from '../../../offline/registration.ts';
import { readVerified } from './device-files.ts';

const folderOf = (code: string) => `/device-languages/${code}/`;

/** The server's description of a language's data, and whether the data is on this device. */
export async function describeDeviceLanguage(
  code: string,
  signal: AbortSignal,
): Promise<LanguageData & { isHere: boolean }> {
  const data = await recognition.ask('GET /api/languages/:code', { params: { code }, signal });
  const cache = await caches.open(DEVICE_CACHE);
  return { ...data, isHere: (await cache.match(folderOf(code) + data.sha256)) !== undefined };
}

/**
 * The data of a language. Offline, the data that was fetched before.
 * @throws {ApiError} if the server does not provide the data
 */
export async function openDeviceLanguage(
  code: string,
  onStage: (stage: Progress) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const cache = await caches.open(DEVICE_CACHE);
  const isOfCode = ({ url }: Request) => new URL(url).pathname.startsWith(folderOf(code));
  const before = (await cache.keys()).filter(isOfCode);
  let data: LanguageData;
  try {
    data = await recognition.ask('GET /api/languages/:code', { params: { code }, signal });
  } catch (error) {
    const kept = before[0] && (await cache.match(before[0]));
    if (!kept || error instanceof ApiError || signal.aborted) throw error;
    return new Uint8Array(await kept.arrayBuffer());
  }
  const { name, bytes: of, sha256 } = data;
  const kept = await cache.match(folderOf(code) + sha256);
  if (kept) return new Uint8Array(await kept.arrayBuffer());
  const report = (received: number) => onStage({ stage: 'fetching-language', language: name, received, of });
  const answer = await recognition.send('GET /api/languages/:code/:sha256', {
    params: { code, sha256 },
    signal,
  });
  const bytes = await readVerified(answer, data, report);
  await Promise.all(before.map((request) => cache.delete(request)));
  await cache.put(folderOf(code) + sha256, new Response(bytes));
  return bytes;
}

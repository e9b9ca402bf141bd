import type { Extraction, Progress } from '#contract/extraction';
import { DeviceReader, type DeviceSettings } from '#ocr/browser/reader';
import { toExtraction, toProgress } from '../../../../answer/answer.ts';
import { type Failure, toFailure } from '../../../../ocr/errors.ts';

/**
 * The engine in the browser. Its content security policy allows WebAssembly and workers for the recognizers, but no network
 * connections: the page fetches its files.
 */

export type ToDevice =
  /** Sent once, before all other messages. */
  | { settings: DeviceSettings }
  /** Sent before the first picture in the language. */
  | { language: { code: string; data: Uint8Array } }
  | { read: { id: string; picture: Uint8Array; language: string; filter: boolean } };

export type FromDevice = { id: string } & (
  | { progress: Progress }
  | { extraction: Extraction }
  | { failure: Failure }
);

let reader: DeviceReader | undefined;

const post = (message: FromDevice) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToDevice>) => {
  if ('settings' in data) reader = new DeviceReader(data.settings);
  else if ('language' in data) reader?.addLanguage(data.language.code, data.language.data);
  else void read(data.read);
});

async function read({
  id,
  picture,
  language,
  filter,
}: Extract<ToDevice, { read: unknown }>['read']): Promise<void> {
  try {
    if (!reader) throw new Error('a picture came before the settings');
    const recognition = await reader.read(picture, {
      language,
      filter,
      onStage: (stage) => post({ id, progress: toProgress(stage) }),
    });
    post({ id, extraction: toExtraction(recognition) });
  } catch (error) {
    post({ id, failure: toFailure(error) });
  }
}

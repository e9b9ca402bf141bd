import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

const COMPRESSIBLE = /\.(m?js|css|svg|html|json|xml|txt|webmanifest|map|wasm|onnx)$/;

/** Smaller than this, a compressed copy saves less than its headers cost. Bytes. */
const WORTH_IT = 1024;

/** The best quality takes half a minute for a larger file, and saves a tenth. Bytes. */
const LARGE = 8_000_000;

/**
 * Writes a Brotli and a gzip copy beside every text file, so that the server never compresses one during a request.
 * @param {string} folder
 */
export async function precompress(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path, size: (await stat(path)).size };
      }),
  );
  // The largest takes about as long as all others together, so it begins first.
  const waiting = files.filter(({ size }) => size >= WORTH_IT).sort((a, b) => a.size - b.size);
  const compressInTurn = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await compress(file);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compressInTurn));
}

/** @param {{ path: string, size: number }} file */
async function compress({ path, size }) {
  const brotli = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: size > LARGE ? 9 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    },
  });
  await Promise.all([
    pipeline(createReadStream(path), brotli, createWriteStream(`${path}.br`)),
    pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`)),
  ]);
}

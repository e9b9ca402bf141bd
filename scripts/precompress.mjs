import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

const COMPRESSIBLE = /\.(m?js|css|svg|html|json|xml|txt|webmanifest|map|wasm|onnx)$/;

/** Minimum size in bytes; compressing a smaller file saves less than the headers cost. */
const MIN_SIZE = 1024;

/** Maximum size in bytes for the best quality, which takes half a minute for a larger file and saves only a tenth. */
const MAX_BEST_QUALITY_SIZE = 8_000_000;

/**
 * Writes Brotli and gzip copies of all compressible files above the minimum size, so that the server never compresses them
 * during a request.
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
  // The largest file takes about as long as all others together, so it is compressed first.
  const waiting = files.filter(({ size }) => size >= MIN_SIZE).sort((a, b) => a.size - b.size);
  const compressInTurn = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) await compress(file);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compressInTurn));
}

/** @param {{ path: string, size: number }} file */
async function compress({ path, size }) {
  const brotli = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: size > MAX_BEST_QUALITY_SIZE ? 9 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    },
  });
  await Promise.all([
    pipeline(createReadStream(path), brotli, createWriteStream(`${path}.br`)),
    pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`)),
  ]);
}

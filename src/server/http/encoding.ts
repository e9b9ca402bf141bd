import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const ENCODERS = {
  br: (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => gzipped(bytes),
};
export type Encoding = keyof typeof ENCODERS;

export const encode = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => ENCODERS[encoding](bytes);

/** The best encoding for an `Accept-Encoding`; undefined for none. */
export function encodingFor(accepted = ''): Encoding | undefined {
  return preferredEncoding(accepted, ['br', 'gzip']);
}

/** The encoding of `offered` (best first) with the highest quality in an `Accept-Encoding` (RFC 9110, 12.5.3). */
function preferredEncoding<T extends string>(accepted: string, offered: readonly T[]): T | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0] as const;
      }),
  );
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = offered
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= plain)
    .sort((one, other) => weightOf(other) - weightOf(one));
  return best;
}

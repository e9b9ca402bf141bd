import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { RawDecoder } from './decoder-pool.ts';

const decoder = new RawDecoder({
  filename: fileURLToPath(new URL('missing.js', import.meta.url)),
  execArgv: [],
  env: {},
});
afterEach(() => decoder.close());

it('rejects the pictures that wait for a thread that fails to start, and tries again with the next', async () => {
  const decode = () => decoder.pagesOfPdf(new Uint8Array(), new AbortController().signal);
  await Promise.all(
    [decode(), decode()].map((pages) => expect(pages).rejects.toMatchObject({ code: 'crashed' })),
  );
  await expect(decode()).rejects.toMatchObject({ code: 'crashed' });
});

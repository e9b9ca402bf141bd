import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { createResultWriter } from './result-writer.ts';

const writer = createResultWriter({
  filename: fileURLToPath(new URL('missing.js', import.meta.url)),
  execArgv: [],
});
afterEach(() => writer.close());

it('rejects the results that wait for a thread that fails to start, and tries again with the next', async () => {
  const write = () => writer.write({ id: 'a', format: 'text', pages: [] }, new AbortController().signal);
  const failure = { cause: expect.objectContaining({ code: 'ERR_MODULE_NOT_FOUND' }) };
  await Promise.all([write(), write()].map((result) => expect(result).rejects.toMatchObject(failure)));
  await expect(write()).rejects.toMatchObject(failure);
});

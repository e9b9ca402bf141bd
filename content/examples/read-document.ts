// Reads all pages of pictures and documents as one job: npx tsx read-document.ts FILE...
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { GLYPHLIFT_URL, GLYPHLIFT_KEY } = process.env;
const authorization = `Bearer ${GLYPHLIFT_KEY}`;

async function call(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { authorization, ...options.headers };
  const response = await fetch(`${GLYPHLIFT_URL}${path}`, { ...options, headers });
  if (response.ok) return response;
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  throw new Error(`${code}: ${detail}`);
}

const form = new FormData();
for (const file of process.argv.slice(2)) form.append('file', await openAsBlob(file), file);
// If the request is sent again with the same key, it returns the same job.
const headers = { 'idempotency-key': randomUUID() };
const created = await call('/api/jobs', { method: 'POST', headers, body: form });
const job = created.headers.get('location') ?? '';

interface Job {
  state: string;
  endedAt: string | null;
  pages: { file: number; page: number; error?: string }[];
}

for (;;) {
  const response = await call(job);
  const { endedAt, pages } = (await response.json()) as Job;
  if (endedAt !== null) {
    for (const { file, page, error } of pages)
      if (error) console.error(`file ${file}, page ${page}: ${error}`);
    break;
  }
  await pause(Number(response.headers.get('retry-after')) * 1000);
}

const result = await call(`${job}/result`, { headers: { accept: 'text/plain' } });
console.log(await result.text());
// Deletes the pages and texts now. Otherwise the server deletes them an hour after the end of the job.
await call(job, { method: 'DELETE' });

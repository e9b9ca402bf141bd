import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { workerScript } from './built-web.ts';

let folder: string;
afterEach(() => rm(folder, { recursive: true, force: true }));

async function clientFolder(): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-worker-'));
  await writeFile(join(folder, 'sw.js'), 'the built worker');
  return folder;
}

it('workerScript: is the built worker', async () => {
  expect(await workerScript(await clientFolder(), 'on')).toBe('the built worker');
});

it('workerScript: given "off", is a worker that deletes all caches and unregisters', async () => {
  const script = await workerScript(await clientFolder(), 'off');
  const done: string[] = [];
  const work: Promise<unknown>[] = [];
  const listeners = new Map<string, (event: { waitUntil(promise: Promise<unknown>): void }) => void>();
  runInNewContext(script, {
    self: {
      addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
      skipWaiting: () => done.push('takes over'),
      registration: { unregister: async () => done.push('goes') },
    },
    caches: {
      keys: async () => ['shell-1', 'shared-picture'],
      delete: async (name: string) => done.push(`removes ${name}`),
    },
  });
  for (const type of ['install', 'activate']) {
    listeners.get(type)?.({ waitUntil: (promise) => work.push(promise) });
  }
  await Promise.all(work);
  expect(done).toEqual(['takes over', 'removes shell-1', 'removes shared-picture', 'goes']);
});

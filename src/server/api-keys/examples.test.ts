import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonPath } from '../../../scripts/system.mjs';
import { createMember, PASSWORD } from '../../../tests/support/people.ts';
import { sharedServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';

const run = promisify(execFile);
const FOLDER = resolve('content/examples');

/** By what each is run, as its first lines say. */
const RUNNERS: Readonly<Record<string, () => string[]>> = {
  '.sh': () => ['bash'],
  '.ts': () => [process.execPath, '--import', 'tsx'],
  '.py': () => [pythonPath()],
};
const examples = readdirSync(FOLDER).filter((name) => name !== 'README.md');

describe('an example of the page for those who write programs', () => {
  const engine = new MemoryEngine(async (picture) => recognitionOf(`${Buffer.from(picture)} read`));
  const server = sharedServer({ engine });
  let folder: string;
  let picture: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glyphlift-examples-'));
    picture = join(folder, 'a picture.png');
    await writeFile(picture, 'a picture');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const owner = await createMember(server.app, 'owner');
    const wanted = { name: 'Example', scopes: ['read'], currentPassword: PASSWORD };
    const { secret } = (await owner.post('/api/account/keys', wanted)).json<{ secret: string }>();
    environment = { PATH: process.env.PATH ?? '', GLYPHLIFT_URL: url, GLYPHLIFT_KEY: secret };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (name: string, more: Record<string, string> = {}) => {
    const [program = '', ...before] = RUNNERS[name.slice(name.lastIndexOf('.'))]?.() ?? [];
    return run(program, [...before, join(FOLDER, name), picture], { env: { ...environment, ...more } });
  };

  it('is there for a shell, for TypeScript and for Python', () => {
    expect(examples.sort()).toEqual(['read-picture.sh', 'read-picture.ts', 'read_picture.py']);
  });

  it.each(examples)('%s reads a picture with a real key', async (name) => {
    const { stdout } = await start(name);
    expect(stdout.trim()).toBe('a picture read');
  });

  it.each(examples)('%s says why it is refused, and fails', async (name) => {
    const failed = await start(name, { GLYPHLIFT_KEY: 'glyph_live_nobody' }).then(
      () => undefined,
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(`${failed?.stdout}${failed?.stderr}`).toContain('api_keys.unknown');
  });
});

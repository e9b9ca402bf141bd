import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonPath } from '../../scripts/test-programs.mjs';
import { createEngine } from '../../src/ocr/engine.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { keyOf } from '../support/jobs.ts';
import { createMember, PASSWORD } from '../support/people.ts';
import { BASIC_ENGINE } from '../support/real-engines.ts';
import { sharedServer } from '../support/server-app.ts';

const execute = promisify(execFile);

describe('the Python client, installed into a separate environment,', () => {
  const engine = createEngine(BASIC_ENGINE);
  // The client checks the time of webhooks.
  const server = sharedServer({
    engine,
    clock: systemClock,
    env: { WEBHOOK_TARGETS: 'anywhere', RATE_LIMIT_PER_MINUTE: '1000' },
  });
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glyphlift-python-'));
    await cp(resolve('clients/python'), folder, { recursive: true });
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const owner = await createMember(server.app, 'owner');
    const made = await owner.post('/api/account/webhook-secret', { currentPassword: PASSWORD });
    environment = {
      GLYPHLIFT_URL: url,
      GLYPHLIFT_KEY: await keyOf(owner),
      GLYPHLIFT_WEBHOOK_SECRET: made.json<{ secret: string }>().secret,
      GLYPHLIFT_PICTURE: resolve('tests/fixtures/pictures/harbour-lights.png'),
    };
    await engine.ready();
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program. A failure contains its output. */
  async function run(program: string, ...args: string[]): Promise<string> {
    const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 10_000_000 };
    const { stdout } = await execute(program, args, options).catch(
      (error: { stdout?: string; stderr?: string; message: string }) => {
        throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr ?? error.message}`);
      },
    );
    return stdout;
  }
  const bin = (name: string) => join(folder, 'environment', 'bin', name);

  it('passes type checks, has the models of the OpenAPI document, and works with the server', async ({
    skip,
  }) => {
    const noEnvironment = await unableTo(() => run(pythonPath(), '-m', 'venv', 'environment'));
    if (noEnvironment) skip(`python3 cannot create an environment here: ${noEnvironment}`);
    const noIndex = await unableTo(() =>
      run(bin('pip'), 'download', '--quiet', '--no-deps', '--dest', 'index', 'hatchling==1.27.0'),
    );
    if (noIndex) skip(`no package index can be reached: ${noIndex}`);
    await run(bin('pip'), 'install', '--quiet', '.[test]');
    await run(bin('mypy'));
    expect(await run(bin('pytest'), '-q', '-p', 'no:cacheprovider')).toMatch(/\d+ passed/);
  }, 600_000);
});

const unableTo = (work: () => Promise<unknown>): Promise<string | undefined> =>
  work().then(
    () => undefined,
    (error: unknown) => String(error).slice(0, 300),
  );

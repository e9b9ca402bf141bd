import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonPath } from '../../../scripts/test-programs.mjs';
import { eventually } from '../../../tests/support/eventually.ts';
import { freePort } from '../../../tests/support/free-port.ts';
import { jobForm, jobsOf } from '../../../tests/support/jobs.ts';
import { type Browser, createMember, PASSWORD } from '../../../tests/support/people.ts';
import { sharedServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';
import { systemClock } from '../platform/clock.ts';

const run = promisify(execFile);
const FOLDER = resolve('content/examples');

/** The command that runs an example, by its file extension. */
const RUNNERS: Readonly<Record<string, () => string[]>> = {
  '.sh': () => ['bash'],
  '.ts': () => [process.execPath, '--import', 'tsx'],
  '.py': () => [pythonPath()],
};
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const receivers = files.filter((name) => name.startsWith('receive'));
const examples = files.filter((name) => !receivers.includes(name));
const forJobs = examples.filter((name) => name.includes('document'));

describe('developer page examples', () => {
  const engine = new MemoryEngine(async (picture) => recognitionOf(`${Buffer.from(picture)} read`));
  // The real time, because receivers reject old signatures.
  const server = sharedServer({ engine, clock: systemClock, env: { WEBHOOK_TARGETS: 'anywhere' } });
  let folder: string;
  let picture: string;
  let environment: Record<string, string>;
  let owner: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glyphlift-examples-'));
    picture = join(folder, 'a picture.png');
    await writeFile(picture, 'a picture');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    owner = await createMember(server.app, 'owner');
    const wanted = { name: 'Example', scopes: ['read'], currentPassword: PASSWORD };
    const { secret } = (await owner.post('/api/account/keys', wanted)).json<{ secret: string }>();
    environment = { PATH: process.env.PATH ?? '', GLYPHLIFT_URL: url, GLYPHLIFT_KEY: secret };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const commandOf = (name: string, ...args: string[]): [string, string[]] => {
    const [program = '', ...before] = RUNNERS[name.slice(name.lastIndexOf('.'))]?.() ?? [];
    return [program, [...before, join(FOLDER, name), ...args]];
  };
  const start = (name: string, more: Record<string, string> = {}, files = [picture]) =>
    run(...commandOf(name, ...files), { env: { ...environment, ...more } });

  it('exist for the shell, TypeScript and Python', () => {
    expect(examples.sort()).toEqual([
      'read-document.sh',
      'read-document.ts',
      'read-picture.sh',
      'read-picture.ts',
      'read_document.py',
      'read_picture.py',
    ]);
    expect(receivers.sort()).toEqual(['receive-webhook.ts', 'receive_webhook.py']);
  });

  it.each(examples)('%s reads an image', async (name) => {
    const { stdout } = await start(name);
    expect(stdout.trim()).toBe('a picture read');
  });

  it.each(forJobs)('%s reads several files as one job, and deletes it', async (name) => {
    const second = join(folder, 'another picture.png');
    await writeFile(second, `another for ${name}`);
    const { stdout } = await start(name, {}, [picture, second]);
    expect(stdout.trim()).toBe(`a picture read\n\fanother for ${name} read`);
    expect(await server.database.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it.each(receivers)(
    '%s verifies a webhook of a job, and rejects one signed with another secret',
    async (name) => {
      const renew = () =>
        owner
          .post('/api/account/webhook-secret', { currentPassword: PASSWORD })
          .then((created) => created.json<{ secret: string }>());
      const port = String(await freePort());
      const [program, args] = commandOf(name);
      const receive = async (secret: string) => {
        const receiver = spawn(program, args, {
          env: { ...environment, GLYPHLIFT_WEBHOOK_SECRET: secret, PORT: port },
        });
        let output = '';
        receiver.stdout.on('data', (chunk) => {
          output += chunk;
        });
        await once(receiver.stderr, 'data');
        return { receiver, output: () => output };
      };
      const jobs = jobsOf(server.app, environment.GLYPHLIFT_KEY ?? '');
      const webhook = `http://127.0.0.1:${port}/`;
      const send = async () =>
        (await jobs.send(jobForm([`for ${name}`], { webhook }))).json<{ id: string }>().id;

      const { secret } = await renew();
      const wrong = await receive(`whsec_${Buffer.from('another secret').toString('base64')}`);
      const first = await send();
      await eventually(async () => (await jobs.state(first)).webhook?.lastStatus === 400);
      expect(wrong.output()).toBe('');
      wrong.receiver.kill();
      await once(wrong.receiver, 'exit');
      await jobs.remove(first);

      const own = await receive(secret);
      const ended = once(own.receiver, 'exit');
      const second = await send();
      expect(await ended).toEqual([0, null]);
      expect(own.output().trim()).toBe(`job.done ${second}`);
      await jobs.remove(second);
    },
  );

  it.each(examples)('%s prints the reason of a rejection, and fails', async (name) => {
    const failed = await start(name, { GLYPHLIFT_KEY: 'glyph_live_unknown' }).then(
      () => undefined,
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(`${failed?.stdout}${failed?.stderr}`).toContain('api_keys.unknown');
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { dataFolder } from '../../../tests/support/data-folder.ts';
import { createMember, mailTo, PASSWORD } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { createLogger } from '../platform/logger.ts';
import { openDatabase } from '../schema.ts';
import { CommandLineError, execute } from './commands.ts';
import { parseCommandLine } from './parser.ts';

describe('the operator’s commands', () => {
  const clock = createTestClock();
  const config = {
    dataDir: '',
    databaseUrl: undefined,
    cookieKeys: undefined as string[] | undefined,
    cookieKey: undefined,
  };
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock });
    config.dataDir = await mkdtemp(join(dataFolder(), 'glyphlift-keys-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(config.dataDir, { recursive: true, force: true });
  });
  const run = async (line: string) => {
    const { services } = server;
    return execute(
      { config, services, database: server.database, clock },
      parseCommandLine(line.split(' '))!,
    );
  };
  const json = async (line: string) => JSON.parse(await run(`${line} --json`));

  it('find and show a user by name, address or id', async () => {
    await createMember(server.app, 'nora');
    expect(await json('user find NORA@')).toMatchObject([{ username: 'nora' }]);
    const shown = await json('user show nora@example.org');
    expect(shown).toMatchObject({ username: 'nora', subscription: { provider: 'demo' }, sessions: 1 });
    expect(await json(`user show ${shown.id}`)).toEqual(shown);
    expect(await run('user show nora')).toMatch(/^username\s+nora$/m);
    await expect(run('user show nobody')).rejects.toThrow('there is no person "nobody"');
  });

  it('never show a password’s hash', async () => {
    for (const line of ['user show nora', 'user export nora', 'user find nora']) {
      expect(await run(line)).not.toContain('argon2');
    }
  });

  it('cancel, refund and grant premium', async () => {
    const emil = await createMember(server.app, 'emil');
    expect(await json('subscription cancel emil')).toMatchObject({ status: 'cancelled', premium: true });
    await expect(run('subscription refund emil')).rejects.toThrow('--yes');
    await run('subscription refund emil --yes');
    expect(await emil.user()).toMatchObject({ isPremium: false });
    expect(await run('subscription grant emil --until 2026-12-24')).toContain('until 2026-12-24');
    expect(await emil.user()).toMatchObject({ isPremium: true });
    expect(await emil.usage()).toMatchObject({ dailyLimit: 1500 });
    for (const wrong of [
      '--until yesterday',
      '--until 2020-01-01',
      '--months 0',
      '--months 1 --until 2027-01-01',
    ]) {
      await expect(run(`subscription grant emil ${wrong}`)).rejects.toThrow(CommandLineError);
    }
  });

  it('sign out and delete a user', async () => {
    const finn = await createMember(server.app, 'finn');
    expect(await json('user sign-out finn')).toEqual({ ended: 1 });
    expect(await finn.user()).toBeUndefined();
    await run('user delete finn --yes');
    await expect(run('user show finn')).rejects.toThrow();
  });

  it('disable two-step sign-in for a user who lost app and recovery codes', async () => {
    const hugo = await createMember(server.app, 'hugo');
    await expect(run('user remove-second-factor hugo --yes')).rejects.toThrow('has no second factor');
    const { uri } = (
      await hugo.post('/api/account/second-factor/start', { currentPassword: PASSWORD })
    ).json<{ uri: string }>();
    const code = (URI.parse(uri) as TOTP).generate({ timestamp: clock.now().getTime() });
    await hugo.post('/api/account/second-factor', { code });
    expect(await json('user show hugo')).toMatchObject({ secondFactor: { recoveryCodesLeft: 10 } });
    expect((await hugo.login('hugo')).statusCode).toBe(401);
    await expect(run('user remove-second-factor hugo')).rejects.toThrow('--yes');
    await run('user remove-second-factor hugo --yes');
    expect((await hugo.login('hugo')).statusCode).toBe(200);
    await mailTo(server.mails, 'hugo@example.org', /Two-step sign-in is off/);
  });

  it('list and export the waitlist, with escaped formulas', async () => {
    await server.services.waitlist.join('"=cmd"@mail.example', 'address').catch(() => {});
    await server.services.waitlist.join('+gina@mail.example', 'address');
    await server.services.mailRequests.processDue();
    expect(await run('waitlist export')).toContain("'+gina@mail.example,2026-05-04");
    expect(await json('waitlist list')).toContainEqual(
      expect.objectContaining({ email: '+gina@mail.example' }),
    );
    await run('waitlist remove +gina@mail.example');
    await expect(run('waitlist remove +gina@mail.example')).rejects.toThrow('no such address');
  });

  it('rotate and retire keys, unless they are in the environment', async () => {
    const kept = async () => JSON.parse(await readFile(join(config.dataDir, 'secrets.json'), 'utf8'));
    await expect(run('keys retire --yes')).rejects.toThrow('there is only one key');
    const before = await kept();
    expect(await json('keys rotate')).toEqual({ older: 1 });
    const rotated = await kept();
    expect(rotated).toEqual({ ...before, cookieKeys: [expect.any(String), ...before.cookieKeys] });
    expect(rotated.cookieKeys[0]).not.toBe(before.cookieKeys[0]);
    await expect(run('keys retire')).rejects.toThrow('--yes');
    const resealed = [
      vi.spyOn(server.services.secondFactor, 'reseal'),
      vi.spyOn(server.services.webhookSecrets, 'resealAll'),
    ];
    expect(await json('keys retire --yes')).toEqual({ retired: 1 });
    for (const reseal of resealed) expect(reseal).toHaveBeenCalledOnce();
    expect(await kept()).toEqual({ ...before, cookieKeys: [rotated.cookieKeys[0]] });
    config.cookieKeys = ['k'.repeat(32)];
    await expect(run('keys rotate')).rejects.toThrow('change COOKIE_KEYS there');
    config.cookieKeys = undefined;
  });

  it.each([
    'nonsense',
    'user',
    'user frobnicate nora',
    'user show',
    'user show nora --unknown',
    'user show a b',
  ])('reject the unknown or incomplete command "%s"', async (line) => {
    await expect(run(line)).rejects.toThrow(CommandLineError);
  });
});

it('admin: prints help and JSON, and sets the exit status', async () => {
  const dataDir = await mkdtemp(join(dataFolder(), 'glyphlift-admin-'));
  const admin = async (...words: string[]) => {
    const args = [compiledFileOf('src/server/admin/main.ts'), ...words];
    const env = { ...process.env, DATA_DIR: dataDir };
    return promisify(execFile)(process.execPath, args, { env }).then(
      ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        status: code,
        stdout,
        stderr,
      }),
    );
  };
  // A folder without a database: creating one here would give an empty backup.
  const nowhere = await admin('database', 'backup', join(dataDir, 'empty.backup'));
  expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining(`no database in ${dataDir}`) });
  expect(await readdir(dataDir)).toEqual([]);
  await (await openDatabase({ databaseUrl: undefined, dataDir, logger: createLogger('silent') })).destroy();

  const { stdout: help } = await admin('--help');
  expect(help).toMatch(/^ {2}user show <PERSON> +one person: name, address/m);
  expect(help).toMatch(/^ {2}user delete <PERSON> --yes +cancels the subscription/m);
  expect((await admin('subscription', 'grant', '--help')).stdout).toContain('--until <YYYY-MM-DD>');
  const [list, unknown, nonsense] = await Promise.all([
    admin('waitlist', 'list', '--json'),
    admin('user', 'show', 'nobody'),
    admin('nonsense'),
  ]);
  expect([list.status, JSON.parse(list.stdout)]).toEqual([0, []]);
  expect([unknown.status, nonsense.status]).toEqual([1, 2]);
  await rm(dataDir, { recursive: true, force: true });
});

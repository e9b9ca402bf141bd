import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { FIXTURE_TEXT, fixture } from '../../../tests/support/pictures.ts';
import { createEngine, type EngineOptions } from '../engine.ts';
import { engineFiles } from '../module-entry.ts';
import type { ConfinementLayer, ConfinementReport, Engine } from '../types.ts';
import {
  type Confinement,
  type ConfinementOptions,
  confinementOn,
  findProgram,
  type Launcher,
  minimalEnvironment,
} from './confinement.ts';
import { watchMemory } from './memory-watch.ts';
import type { EngineEvent } from './supervisor.ts';

const LAYERS: ConfinementLayer[] = ['network', 'files', 'processes', 'privileges', 'user', 'memory'];
const MEGABYTE = 2 ** 20;
const LIMIT = 800 * MEGABYTE;

const home = mkdtempSync(path.join(tmpdir(), 'glyphlift-confined-'));
const secret = path.join(home, 'secrets.json');
const unreadableSecret = path.join(home, 'closed.json');
const languages = path.join(home, 'languages');

const BASIC: EngineOptions = {
  maxPixels: 100_000_000,
  concurrency: 1,
  queueLimit: 4,
  premiumReserve: 0,
  timeoutMs: 60_000,
  languageDirs: [],
};

const OPTIONS: ConfinementOptions = {
  mode: 'auto',
  readable: [...engineFiles(), languages],
  memoryLimit: LIMIT,
};

/** The sandbox that is chosen where these programs are not installed. */
function confinementWithout(
  programs: readonly string[],
  options = OPTIONS,
  isRoot = true,
): Promise<Confinement> {
  const find = (name: string) => (programs.includes(name) ? undefined : findProgram(name));
  return confinementOn({ find, isRoot }, options);
}

/** The output of a script that runs in place of the recognition process: one value as JSON. */
function resultOf<T>({ command, args }: Launcher, script: string, ...given: string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args, '--input-type=module', '--eval', script, '--', ...given],
      { env: minimalEnvironment() },
      (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout) as T)),
    );
  });
}

/** The files that it could open. */
function opened(launcher: Launcher, files: readonly string[]): Promise<string[]> {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    const may = (file) => { try { closeSync(openSync(file)); return true; } catch { return false; } };
    console.log(JSON.stringify(process.argv.slice(1).filter((file) => file !== '--' && may(file))));`;
  return resultOf(launcher, script, ...files);
}

function statusOf(pid: number | string): Record<string, string> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(':\t') as [string, string]));
}

beforeAll(() => {
  mkdirSync(languages);
  chmodSync(home, 0o755);
  writeFileSync(secret, '{}', { mode: 0o644 });
  writeFileSync(unreadableSecret, '{}', { mode: 0o600 });
});
afterAll(() => rmSync(home, { recursive: true }));

describe('recognition process', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = createEngine(BASIC);
    await engine.ready();
  });
  afterAll(() => engine.close());

  it('runs in a complete sandbox and reads a picture correctly', async () => {
    expect(engine.status().confinement).toEqual({ on: LAYERS, off: {} } satisfies ConfinementReport);
    expect((await engine.recognize(fixture('harbour-lights.png'))).text).toBe(FIXTURE_TEXT);
    expect((await engine.recognize(fixture('upright.heic'))).text).toBe(FIXTURE_TEXT);
  });

  it('has no privileges, can get none, and has another user than the server', () => {
    const status = statusOf(engine.status().pid!);
    expect(status).toMatchObject({ NoNewPrivs: '1', Uid: Array(4).fill(65_533).join('\t'), Groups: ' ' });
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(Number.parseInt(status[set]!, 16), set).toBe(0);
    }
  });

  it('starts with the same command as the scripts of the other tests', async () => {
    const { launcher } = await confinementWithout([], { ...OPTIONS, readable: engineFiles() });
    const command = readFileSync(`/proc/${wrapperOf(engine.status().pid!)}/cmdline`, 'utf8').split('\0');
    const plain = (words: readonly string[]) => words.filter((word) => !word.startsWith('--data='));
    expect(plain(command).slice(0, plain(launcher.args).length + 1)).toEqual(
      plain([launcher.command, ...launcher.args]),
    );
  });

  it('ends with the sandbox program', async () => {
    const { pid } = engine.status();
    process.kill(wrapperOf(pid!), 'SIGKILL');
    await expect.poll(() => engine.status().pid).not.toBe(pid);
    await expect.poll(() => stateOf(pid!)).toMatch(/gone|Z/);
  });
});

/** The server's child: one bubblewrap process is between it and the recognition process. */
function wrapperOf(pid: number): number {
  return Number(statusOf(statusOf(pid).PPid!).PPid);
}

function stateOf(pid: number): string {
  try {
    return statusOf(pid).State!;
  } catch {
    return 'gone';
  }
}

describe.each([
  ['as root', true],
  ['as another user', false],
])('sandbox, with the server as %s', (_, isRoot) => {
  let launcher: Launcher;
  beforeAll(async () => {
    ({ launcher } = await confinementWithout([], OPTIONS, isRoot));
  });

  it('reaches no port of this machine and no other network', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const script = `
      import { connect } from 'node:net';
      import { networkInterfaces } from 'node:os';
      const socket = connect(Number(process.argv.at(-1)), '127.0.0.1');
      const say = (answer) => console.log(JSON.stringify([answer, Object.keys(networkInterfaces()).filter((name) => name !== 'lo')]));
      socket.once('connect', () => { say('connected'); socket.destroy(); });
      socket.once('error', (error) => say(error.code));`;
    const port = String((server.address() as AddressInfo).port);
    expect(await resultOf(launcher, script, port)).toEqual(['ECONNREFUSED', []]);
    expect(await resultOf({ ...launcher, command: process.execPath, args: [] }, script, port)).toMatchObject([
      'connected',
      {},
    ]);
    server.close();
  });

  it('reads neither passwords nor secrets nor the server’s settings, only the files that recognition needs', async () => {
    const [engine = ''] = engineFiles();
    const own = path.join(engine, 'networks', 'ready-networks.json');
    const files = [
      '/etc/shadow',
      '/etc/passwd',
      secret,
      path.resolve('src/server/main.ts'),
      path.resolve('README.md'),
    ];
    files.push(`/proc/${process.pid}/environ`, `/proc/${process.ppid}/environ`, '/root', own);
    expect(await opened(launcher, files)).toEqual([own]);
  });

  it('sees only its own processes', async () => {
    const script = `
      import { readdirSync } from 'node:fs';
      console.log(JSON.stringify(readdirSync('/proc').filter((name) => /^\\d+$/.test(name))));`;
    // The bubblewrap process and itself.
    expect(await resultOf(launcher, script)).toEqual(['1', '2']);
  });

  it('cannot write any file', async () => {
    const script = `
      import { writeFileSync } from 'node:fs';
      const tried = process.argv.slice(1).filter((folder) => { try { writeFileSync(folder + '/x', 'x'); return true; } catch { return false; } });
      console.log(JSON.stringify(tried));`;
    const folders = [
      '/',
      '/tmp',
      '/dev',
      '/dev/shm',
      '/proc',
      home,
      languages,
      path.resolve('src/ocr'),
      path.resolve('node_modules'),
    ];
    expect(await resultOf(launcher, script, ...folders)).toEqual([]);
  });

  it('cannot allocate more memory than its limit', async () => {
    const script = `
      const kept = [];
      try { for (;;) kept.push(Buffer.alloc(${8 * MEGABYTE}, 1)); } catch {}
      console.log(JSON.stringify(kept.length * ${8 * MEGABYTE}));`;
    const bytes = await resultOf<number>(launcher, script).catch(() => 0);
    expect(bytes).toBeLessThan(LIMIT);
    expect(await resultOf<number>(launcher, 'console.log(Buffer.alloc(1e8, 1).length)')).toBe(1e8);
  });
});

describe('sandbox with missing programs', () => {
  it('without bubblewrap, restricts everything except access to files', async () => {
    const { launcher, report } = await confinementWithout(['bwrap']);
    expect(report).toEqual({
      on: LAYERS.filter((layer) => layer !== 'files'),
      off: { files: 'bubblewrap is not installed' },
    });
    expect(await opened(launcher, ['/etc/shadow', unreadableSecret, `/proc/${process.pid}/environ`])).toEqual(
      [],
    );
  });

  it('with setpriv and prlimit only, still limits privileges, user and memory', async () => {
    const { launcher, report } = await confinementWithout(['bwrap', 'unshare']);
    expect(report.on).toEqual(['processes', 'privileges', 'user', 'memory']);
    expect(await opened(launcher, ['/etc/shadow', unreadableSecret, `/proc/${process.pid}/environ`])).toEqual(
      [],
    );
  });

  it('without any of them, is off and reported as off', async () => {
    const { report } = await confinementWithout(['bwrap', 'unshare', 'setpriv', 'prlimit']);
    expect(report.on).toEqual([]);
    expect(Object.keys(report.off)).toEqual(LAYERS);
    expect(report.off.network).toBe('neither bubblewrap nor util-linux is installed');
  });

  it('does not start when everything is required', async () => {
    const options: ConfinementOptions = { ...OPTIONS, mode: 'require' };
    await expect(confinementWithout(['bwrap'], options)).rejects.toThrow(
      'the recognition process cannot be confined as required: files (bubblewrap is not installed)',
    );
    await expect(confinementWithout([], options)).resolves.toBeDefined();
    await expect(confinementWithout([], options, false)).resolves.toBeDefined();
  });
});

describe('sandbox in a container, which masks parts of /proc', () => {
  /**
   * The output of a script in it: one value as JSON. Its namespaces and masks are those of any container.
   */
  function outputInContainer<T>(script: string, ...given: string[]): Promise<T> {
    const cover =
      'mount --bind /dev/null /proc/interrupts && mount --bind -o ro /proc/sys /proc/sys && exec "$@"';
    const node = [process.execPath, '--input-type=module'];
    const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', cover, 'sh', ...node];
    return new Promise((resolve, reject) => {
      execFile(findProgram('unshare') ?? '', [...args, '--eval', script, '--', ...given], (error, stdout) =>
        error ? reject(error) : resolve(JSON.parse(stdout) as T),
      );
    });
  }
  const CONFINED = `
    import { execFileSync } from 'node:child_process';
    import { confinementOn, findProgram, minimalEnvironment } from '${compiledFileOf('src/ocr/host/confinement.ts')}';
    const without = JSON.parse(process.argv.at(-1));
    const find = (name) => without.includes(name) ? undefined : findProgram(name);
    const { launcher, report } = await confinementOn({ find, isRoot: false }, { mode: 'auto', readable: [], memoryLimit: ${LIMIT} });
    const inside = (script) => JSON.parse(execFileSync(
      launcher.command, [...launcher.args, '--eval', script, '--', String(process.pid)], { env: minimalEnvironment() }));`;

  it('every layer that needs no other user is active', async () => {
    const script = `${CONFINED} console.log(JSON.stringify(report));`;
    const report = await outputInContainer<ConfinementReport>(script, '[]');
    expect(report).toEqual({
      on: LAYERS.filter((layer) => layer !== 'user'),
      off: { user: 'only root may change users' },
    });
  });

  it('the process can neither read nor end the server, and changes nothing in /proc', async () => {
    const script = `${CONFINED} console.log(JSON.stringify(inside(\`
      const fs = require('node:fs');
      const server = process.argv.at(-1);
      const can = (work) => { try { work(); return true; } catch { return false; } };
      console.log(JSON.stringify({
        seesItself: can(() => fs.readFileSync('/proc/self/status')),
        readsEnvironment: can(() => fs.readFileSync('/proc/' + server + '/environ')),
        readsMemory: can(() => fs.openSync('/proc/' + server + '/mem')),
        readsFiles: can(() => fs.readdirSync('/proc/' + server + '/root/etc')),
        readsDescriptors: can(() => fs.readlinkSync('/proc/' + server + '/fd/0')),
        ends: can(() => process.kill(Number(server), 0)),
        writes: can(() => fs.writeFileSync('/proc/self/oom_score_adj', '0')),
      }));\`)));`;
    expect(await outputInContainer(script, '[]')).toEqual({
      seesItself: true,
      readsEnvironment: false,
      readsMemory: false,
      readsFiles: false,
      readsDescriptors: false,
      ends: false,
      writes: false,
    });
  });

  it('without bubblewrap, few layers are available', async () => {
    const script = `${CONFINED} console.log(JSON.stringify(report.on));`;
    expect(await outputInContainer(script, '["bwrap"]')).toEqual(['memory']);
  });
});

describe('sandbox with files that another user may not read', () => {
  it('runs as the server’s user and reports that', async () => {
    const closed = mkdtempSync(path.join(tmpdir(), 'glyphlift-closed-'));
    const options: ConfinementOptions = { ...OPTIONS, readable: [closed] };
    const { launcher, report } = await confinementWithout([], options);
    expect(report.on).toEqual(LAYERS.filter((layer) => layer !== 'user'));
    expect(report.off.user).toContain(`may not read ${closed}`);
    expect(await opened(launcher, [closed, '/etc/shadow'])).toEqual([closed]);
    rmSync(closed, { recursive: true });
  });
});

describe('engine without a sandbox', () => {
  let engine: Engine;
  beforeAll(async () => {
    vi.stubEnv('SMTP_URL', 'smtp://somebody:secret@mail.example');
    engine = createEngine({ ...BASIC, confinement: 'off' });
    await engine.ready();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await engine.close();
  });

  it('reads a picture with the same result', async () => {
    expect(engine.status().confinement!.on).toEqual([]);
    expect((await engine.recognize(fixture('harbour-lights.png'))).text).toBe(FIXTURE_TEXT);
  });

  it('still passes none of the server’s settings on', () => {
    const environment = readFileSync(`/proc/${engine.status().pid}/environ`, 'utf8').split('\0');
    const names = environment.map((entry) => entry.split('=')[0]);
    expect(names).toContain('PATH');
    expect(names).not.toContain('SMTP_URL');
    expect(names).not.toContain('HOME');
  });
});

describe('engine', () => {
  it('replaces a process above its memory limit, after growing pauses, and reports it', async () => {
    const events: EngineEvent[] = [];
    const memoryLimit = 50 * MEGABYTE;
    const onEvent = (event: EngineEvent) => void events.push(event);
    const engine = createEngine({ ...BASIC, confinement: 'off', memoryLimit, onEvent });
    await engine.ready();
    await expect.poll(() => events.map(({ name }) => name)).toContain('process-died');
    const ends = events.filter(({ name }) => name === 'process-outgrown' || name === 'process-died');
    expect(ends.slice(0, 2)).toMatchObject([
      { name: 'process-outgrown', limit: memoryLimit },
      { name: 'process-died', reason: 'SIGKILL', retryInMs: 200 },
    ]);
    await engine.close();
  });
});

describe('watchMemory', () => {
  it('reports a process once it exceeds its limit, and not before', async () => {
    const script = `
      const kept = [];
      process.stdin.on('data', () => kept.push(Buffer.alloc(${300 * MEGABYTE}, 1)));
      console.log('up');`;
    const child = spawn(process.execPath, ['--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const outgrown: number[] = [];
    const forget = watchMemory(child.pid, 250 * MEGABYTE, (bytes) => outgrown.push(bytes));
    child.stdin.write('more');
    await expect.poll(() => outgrown.length).toBe(1);
    expect(outgrown[0]).toBeGreaterThan(250 * MEGABYTE);
    forget();
  });
});

/** The package as a user gets it: packed, and installed into an empty project with npm's default settings. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Outcome>;
  /** Standard error so far. */
  said(): string;
}

export class InstalledPackage {
  readonly #folder: string;
  /** Folder of the user's project, in which programs run. */
  readonly project: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.project = join(folder, 'project');
  }

  /** @param pack the command that writes the tarball into the folder of `--pack-destination` and describes it in JSON */
  static async create(
    pack = [process.execPath, join(root, 'scripts', 'pack.mjs')],
  ): Promise<InstalledPackage> {
    const made = new InstalledPackage(await mkdtemp(join(tmpdir(), 'glyphlift-package-')));
    const [program = '', ...args] = pack;
    const packed = await run(program, [...args, '--json', '--pack-destination', made.#folder], root);
    if (packed.status !== 0) throw new Error(packed.stderr);
    const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as [
      { filename: string; files: { path: string }[] },
    ];
    made.files = files.map(({ path }) => path);
    made.tarball = join(made.#folder, filename);
    await mkdir(made.project);
    await writeFile(
      join(made.project, 'package.json'),
      '{ "name": "stranger", "private": true, "type": "module" }\n',
    );
    return made;
  }

  /** @param settings lines of the project's `.npmrc` */
  async install(settings = ''): Promise<void> {
    await writeFile(join(this.project, '.npmrc'), settings);
    const flags = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund'];
    const installed = await this.run('npm', ['install', ...flags, this.tarball]);
    if (installed.status !== 0) throw new Error(installed.stderr);
    this.warnings = installed.stderr.split('\n').filter((line) => /^npm warn /i.test(line));
  }

  /** All packages in the project by path, as npm recorded them. */
  async packages(): Promise<Record<string, { version: string; hasInstallScript?: boolean }>> {
    const recorded = join(this.project, 'node_modules', '.package-lock.json');
    return JSON.parse(await readFile(recorded, 'utf8')).packages;
  }

  /** Size of all files in `node_modules`. Bytes. */
  async bytes(): Promise<number> {
    const entries = await readdir(join(this.project, 'node_modules'), {
      withFileTypes: true,
      recursive: true,
    });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
    return sizes.reduce((sum, { size }) => sum + size, 0);
  }

  /** Warnings of npm during the installation. */
  warnings: string[] = [];

  /** Files in the tarball. */
  files: string[] = [];

  tarball = '';

  get main(): string {
    return join(this.project, 'node_modules', 'glyphlift', 'dist', 'node', 'program', 'main.js');
  }

  start(
    args: readonly string[],
    { node = process.execPath, env = {} }: { node?: string; env?: NodeJS.ProcessEnv } = {},
  ): Running {
    return start(node, [this.main, ...args], this.project, { DATA_DIR: join(this.#folder, 'data'), ...env });
  }

  glyphlift(
    args: readonly string[],
    options: { node?: string; env?: NodeJS.ProcessEnv; input?: Uint8Array } = {},
  ): Promise<Outcome> {
    const running = this.start(args, options);
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(options.input);
    return running.ended;
  }

  /** Runs the command line in the user's project. @param env additional environment variables */
  run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return run(program, args, this.project, env);
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a program in a clean environment, without variables of the tests. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const running = start(program, args, cwd, env);
  running.child.stdin?.end();
  return running.ended;
}

function start(program: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Running {
  // Settings of the npm that runs the tests, and of the sources, must not affect the user's project.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_(cache|registry))|NODE_OPTIONS|VITEST|NODE_ENV)/i.test(name),
    ),
  );
  const child = spawn(program, args, { cwd, env: { ...env, ...more } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  return { child, ended, said: () => stderr };
}

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './bootstrap.mjs';
import { pythonPath } from './test-programs.mjs';

const run = promisify(execFile);
const MANIFESTS = join(root, 'deploy', 'kubernetes');
/** Files for kustomize and Helm, which are no manifests. */
const OTHERS = ['kustomization.yaml', 'prometheus-adapter.yaml'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-manifests-'));
  await run(pythonPath(), ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', 'kubernetes-validate==1.37.0']);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('Kubernetes: each manifest is valid by the Kubernetes schemas, without unknown fields', async () => {
  const files = readdirSync(MANIFESTS).filter((file) => !OTHERS.includes(file));
  expect(files.length).toBeGreaterThan(5);
  const paths = files.map((file) => join(MANIFESTS, file));
  const { stdout, stderr } = await run(join(folder, 'bin', 'kubernetes-validate'), ['--strict', ...paths]);
  const output = `${stdout}${stderr}`;
  for (const path of paths) expect(output).toContain(`INFO ${path} passed`);
  expect(output).not.toMatch(/^(WARN|ERROR)/m);
}, 60_000);

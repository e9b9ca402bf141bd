import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { requireNode, root } from './bootstrap.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The message of the version check at the start; undefined if it accepts this version. */
function refusalOf(version: string): string | undefined {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const ended = vi.fn();
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, node: version }, exit: ended });
  requireNode();
  vi.unstubAllGlobals();
  expect(ended.mock.calls).toEqual(said.mock.calls.length === 0 ? [] : [[1]]);
  return said.mock.calls[0]?.[0];
}

it('minimum Node version: package.json, README, Dockerfile and the check at the start agree', () => {
  const [, lowest = ''] = /^>=(\d+\.\d+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
  const [major = 0, minor = 0] = lowest.split('.').map(Number);
  for (const version of [`${lowest}.0`, `${major}.${minor + 1}.3`, `${major + 4}.0.0`]) {
    expect(refusalOf(version), version).toBeUndefined();
  }
  for (const version of [`${major}.${minor - 1}.9`, `${major - 1}.99.0`]) {
    expect(refusalOf(version), version).toContain(`Glyphlift needs Node ${lowest} or newer`);
  }
  expect(read('README.md')).toContain(`${lowest} works`);
  expect(read('deploy/Dockerfile')).toContain(`Node ${lowest} or newer`);
});

it('recommended Node version: README and the check at the start name the LTS that scripts/lts.mjs installs', () => {
  const [, recommended = ''] = /^const VERSION = '(\d+)\.\d+\.\d+';$/m.exec(read('scripts/lts.mjs')) ?? [];
  // Only even versions become an LTS.
  expect([22, 24, 26, 28]).toContain(Number(recommended));
  const words = `the current LTS, ${recommended}, is recommended`;
  expect(refusalOf('18.0.0')).toContain(words);
  expect(read('README.md')).toContain(words);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { neededBy } from './packages.mjs';

const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
const namesOf = (paths: Iterable<string>) =>
  [...paths].map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

describe('neededBy', () => {
  const tree = {
    '': { dependencies: { server: '1' }, devDependencies: { builder: '1' } },
    'tools/testing': { devDependencies: { tester: '1' } },
    'node_modules/server': {
      version: '1',
      dependencies: { part: '2' },
      devDependencies: { tester: '1' },
      peerDependencies: { plug: '1', socket: '1' },
      peerDependenciesMeta: { socket: { optional: true } },
    },
    'node_modules/server/node_modules/part': { version: '2', dependencies: { server: '1' } },
    'node_modules/part': { version: '1' },
    'node_modules/plug': { version: '1' },
    'node_modules/socket': { version: '1' },
    'node_modules/builder': { version: '1' },
    'node_modules/tester': { version: '1', dependencies: { part: '1' } },
  };

  test('returns direct and indirect dependencies, resolved from the nearest folder, without optional peers', () => {
    expect([...neededBy(tree, [''])].sort()).toEqual([
      'node_modules/builder',
      'node_modules/plug',
      'node_modules/server',
      'node_modules/server/node_modules/part',
    ]);
  });

  test('adds the dependencies of another folder of the project', () => {
    const more = [...neededBy(tree, ['', 'tools/testing'])].filter((path) => !neededBy(tree, ['']).has(path));
    expect(more.sort()).toEqual(['node_modules/part', 'node_modules/tester']);
  });
});

describe('the lock file', () => {
  test('allows building and serving without packages for tests and benchmarks', () => {
    const serving = namesOf(neededBy(locked, ['']));
    for (const name of ['vitest', '@playwright/test', '@biomejs/biome', 'typescript', 'knip', 'lighthouse'])
      expect(serving, name).not.toContain(name);
  });

  test('allows `npm test` without packages for benchmarks', () => {
    expect(namesOf(neededBy(locked, ['', 'tools/testing']))).not.toContain('lighthouse');
  });

  test('has each build tool once', () => {
    for (const tool of ['vite', 'rolldown', 'esbuild', 'typescript', 'tailwindcss', 'lightningcss', 'tsx']) {
      const places = Object.keys(locked).filter((path) => path.endsWith(`node_modules/${tool}`));
      expect(places, tool).toEqual([`node_modules/${tool}`]);
    }
  });
});

test.each(['tools/testing', 'tools/measuring'])('every package of %s is used', (folder) => {
  const { devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const sources = ['src', 'tests', 'bench', 'scripts', '.']
    .flatMap((place) =>
      readdirSync(place, { withFileTypes: true, recursive: place !== '.' })
        .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .filter((file) => file !== 'scripts/packages.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  for (const name of Object.keys(devDependencies)) expect(usesIn(sources, name), name).toBe(true);
});

/** Whether sources use a package: by import, by the name of its program, by a language code, or as types of another package. */
function usesIn(sources: string, name: string): boolean {
  const programs: Record<string, string> = {
    '@biomejs/biome': "'biome'",
    'dependency-cruiser': "'depcruise'",
    knip: "'knip'",
  };
  // Packages whose types are global.
  if (['@types/node', '@types/chrome'].includes(name)) return true;
  const described = name.replace('@types/', '');
  return sources.includes(programs[name] ?? (name.startsWith('@types/') ? `from '${described}` : name));
}

test('lock file: every package of every platform has a checksum', () => {
  const unchecked = Object.entries<{ link?: boolean; integrity?: string }>(locked)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity)
    .map(([path]) => path);
  expect(unchecked).toEqual([]);
});

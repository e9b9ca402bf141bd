import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Titles are quoted in prose, where apostrophes are typographic and lines are wrapped. */
const plain = (text: string) => text.replace(/[’]/g, "'").replace(/\s+/g, ' ');

const sources = ['src', 'tests', 'scripts', 'bench']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
  .map((name) => ({ name, text: plain(readFileSync(name, 'utf8')).replaceAll("\\'", "'") }));

describe('what the page of threats says is tested', () => {
  const page = plain(readFileSync('docs/threats.md', 'utf8'));
  const quoted = [...page.matchAll(/"([^"]{12,})"/g)].map(([, title = '']) => title);
  const files = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => name);

  it.each(quoted)('is: %s', (title) => {
    expect(sources.some(({ text }) => text.includes(title))).toBe(true);
  });

  it.each(files)('is where it says: %s', (file) => {
    expect(sources.some(({ name }) => name.endsWith(`/${file}`) || name === file)).toBe(true);
  });

  it.each([...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link))(
    'leads somewhere: %s',
    (link) => {
      expect(existsSync(join('docs', link))).toBe(true);
    },
  );

  it('is quoted at all', () => {
    expect(quoted.length).toBeGreaterThan(50);
  });
});

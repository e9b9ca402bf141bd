import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadArticles, readingMinutes } from './articles.ts';
import { atomFeed, sitemap } from './feeds.ts';

const FRONT_MATTER = {
  id: 'one',
  title: '"One & only <title>"',
  description: 'A description that is long enough for a search engine to show it whole.',
  excerpt: 'An excerpt.',
  author: 'The Glyphlift team',
  publishedDate: '2026-11-01',
  tags: '[receipts, accuracy]',
};

describe('articles', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'articles-'));
    await mkdir(join(folder, 'images'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, fields: Readonly<Record<string, string>> = {}, body = 'Some words.\n') => {
    const yaml = Object.entries({ ...FRONT_MATTER, ...fields })
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n');
    return writeFile(join(folder, name), `---\n${yaml}\n---\n\n${body}`);
  };

  it('are listed newest first with slugs of their file names, without content', async () => {
    await write('older.md', { id: 'older', publishedDate: '2026-01-31' });
    await write('newer.md', { id: 'newer', publishedDate: '2026-10-02' });
    const library = await loadArticles(folder);
    expect(library.list().map(({ slug, publishedDate }) => [slug, publishedDate])).toEqual([
      ['newer', '2026-10-02'],
      ['older', '2026-01-31'],
    ]);
    expect(library.list()[0]).not.toHaveProperty('content');
    expect(library.find('older')).toMatchObject({ content: 'Some words.', readingTime: '1 min' });
    expect(library.find('missing')).toBeNull();
  });

  it('report file and line of an invalid value', async () => {
    await write('wrong.md', { publishedDate: 'yesterday' });
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:7: publishedDate: /);
  });

  it('report file and line of invalid YAML', async () => {
    await write('wrong.md', { excerpt: '"never closed' });
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:\d+: /);
  });

  it('reject an unknown field, an invalid image, a missing field and a file without front matter', async () => {
    await write('wrong.md', { subtitle: '"Unknown"' });
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:1: front matter: .*subtitle/);
    await write('wrong.md', { image: '/elsewhere.png' });
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:9: image: /);
    await writeFile(join(folder, 'wrong.md'), '---\nid: one\n---\n');
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:1: title: /);
    await writeFile(join(folder, 'wrong.md'), 'Just text');
    await expect(loadArticles(folder)).rejects.toThrow(/wrong\.md:1: .*front matter/);
  });

  it('reject two files with one id', async () => {
    await write('one.md');
    await write('two.md');
    await expect(loadArticles(folder)).rejects.toThrow(
      `${join(folder, 'two.md')}:2: id: one is the id of one.md already`,
    );
    // The line of the id, wherever it stands.
    await writeFile(
      join(folder, 'two.md'),
      (await readFile(join(folder, 'two.md'), 'utf8')).replace(/^(id: .*)\n([\s\S]*?)\n---/m, '$2\n$1\n---'),
    );
    await expect(loadArticles(folder)).rejects.toThrow(/two\.md:8: id: one is the id of one\.md already/);
  });

  it('have the size of every image, and reject missing ones and those without alternative text', async () => {
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } })
      .webp()
      .toFile(join(folder, 'images', 'a.webp'));
    await write('one.md', {}, 'Text\n\n![A white card](/blog/images/a.webp)\n');
    expect((await loadArticles(folder)).find('one')?.pictures).toEqual([
      { src: '/blog/images/a.webp', width: 40, height: 30 },
    ]);
    await write('one.md', {}, 'Text\n\n![A card](/blog/images/b.webp)\n');
    await expect(loadArticles(folder)).rejects.toThrow(/one\.md:13: .*b\.webp is missing/);
    await write('one.md', {}, '![](/blog/images/a.webp)\n');
    await expect(loadArticles(folder)).rejects.toThrow(/one\.md:11: .*needs alternative text/);
  });

  it('are in the feed and in the sitemap with their dates', async () => {
    await write('one.md');
    const articles = (await loadArticles(folder)).list();
    const feed = atomFeed(articles, 'https://glyphlift.example');
    expect(XMLValidator.validate(feed)).toBe(true);
    const { entry } = new XMLParser().parse(feed).feed;
    expect(entry).toMatchObject({
      title: 'One & only <title>',
      updated: '2026-11-01T00:00:00Z',
      id: 'https://glyphlift.example/blog/one',
    });
    const urls = new XMLParser().parse(sitemap(articles, 'https://glyphlift.example')).urlset.url;
    expect(urls).toContainEqual({ loc: 'https://glyphlift.example/blog/one', lastmod: '2026-11-01' });
    expect(urls).toContainEqual({ loc: 'https://glyphlift.example/terms' });
  });
});

describe('reading time', () => {
  it('counts words, not code or addresses, and is at least a minute', () => {
    expect(readingMinutes('short')).toBe(1);
    expect(readingMinutes('word '.repeat(2200))).toBe(10);
    expect(readingMinutes(`${'word '.repeat(220)}\n\`\`\`\n${'code '.repeat(2000)}\n\`\`\`\n`)).toBe(1);
  });
});

it('prose: articles and legal texts have typographic quotes and apostrophes', async () => {
  for (const folder of ['content/blog', 'content/legal']) {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.md'));
    expect(files.length, folder).toBeGreaterThan(0);
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      const prose = text
        .replace(/^---\n[\s\S]*?\n---\n/, '')
        .replaceAll(/```[\s\S]*?```|`[^`]*`|<[^>]*>/g, '');
      expect(/.{0,20}["'].{0,20}/.exec(prose)?.[0], name).toBeUndefined();
    }
  }
});

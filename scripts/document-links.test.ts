import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from './bootstrap.mjs';
import { findBrokenLinks, findDocuments } from './document-links.ts';

test('documents: every relative link points to an existing file, and every anchor to a heading in it', () => {
  const documents = findDocuments(root);
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'SECURITY.md', 'bench/README.md', 'docs/threats.md']),
  );
  expect(findBrokenLinks(root, documents)).toEqual([]);
});

describe('link check', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glyphlift-links-'));
    mkdirSync(join(folder, 'docs/images'), { recursive: true });
    mkdirSync(join(folder, 'content'));
    writeFileSync(join(folder, 'docs/images/a b.png'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = (documents: Readonly<Record<string, string>>): string[] => {
    for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text);
    return findBrokenLinks(folder, findDocuments(folder));
  };

  test('reports a missing file in each link syntax', () => {
    expect(
      check({
        'README.md': [
          '[a link](docs/gone.md), ![a picture](gone.png), [a reference][there]',
          '',
          '<a href="docs/gone.html"><img src="docs/gone.svg"></a>',
          '',
          '[there]: gone.txt',
        ].join('\n'),
      }),
    ).toEqual([
      'README.md: docs/gone.md',
      'README.md: gone.png',
      'README.md: gone.txt',
      'README.md: docs/gone.html',
      'README.md: docs/gone.svg',
    ]);
  });

  test('reports a missing heading, in another document and in the same one', () => {
    expect(
      check({
        'README.md': '# Start\n\n[here](#begin) [there](docs/page.md#end) [again](docs/page.md#the-end-2)',
        'docs/page.md': '## The end\n\n## The end',
      }),
    ).toEqual(['README.md: #begin', 'README.md: docs/page.md#end', 'README.md: docs/page.md#the-end-2']);
  });

  test('reports a link to a file outside the project', () => {
    expect(check({ 'README.md': '[outside](../elsewhere.md)' })).toEqual(['README.md: ../elsewhere.md']);
  });

  test('accepts files, folders, anchors of headings on GitHub, and HTML anchors', () => {
    const page =
      '## `npm test`: what, and *when*?\n\n## Größe\n\n## The end\n\n## The end\n\n<a id="mark"></a>';
    const anchors = ['npm-test-what-and-when', 'größe', 'gr%C3%B6%C3%9Fe', 'the-end', 'the-end-1', 'mark'];
    expect(
      check({
        'README.md': `${anchors.map((anchor) => `[x](docs/page.md#${anchor})`).join(' ')} [x](docs) [x](/docs/page.md)`,
        'docs/page.md': `${page}\n\n[x](../README.md) ![x](images/a%20b.png) [x](#the-end)`,
      }),
    ).toEqual([]);
  });

  test('ignores external URLs, mail addresses, code, and site paths in content', () => {
    expect(
      check({
        'README.md': [
          '[x](https://example.org/a) <mailto:a@example.org> `[x](gone.md)`',
          '```md\n[x](gone.md)\n```',
          '<!-- [x](gone.md) -->',
        ].join('\n\n'),
        'content/article.md': '[x](/premium)',
      }),
    ).toEqual([]);
  });
});

import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';
import { parseMarkdown } from './parse-markdown.ts';

const html = (source: string) =>
  renderToStaticMarkup(
    <Markdown
      nodes={parseMarkdown(source)}
      pictures={[{ src: '/blog/images/a.webp', width: 640, height: 480 }]}
    />,
  );

describe('Markdown', () => {
  it('renders tables, task lists, strikethrough, autolinks and footnotes of GitHub Flavored Markdown', () => {
    const source = [
      '| a | b |',
      '|---|--:|',
      '| 1 | 2 |',
      '',
      '- [x] done',
      '- [ ] open',
      '',
      '~~gone~~ www.example.com',
      '',
      'Note[^1].',
      '',
      '[^1]: Below.',
    ];
    const shown = html(source.join('\n'));
    expect(shown).toContain('<table>');
    expect(shown).toContain('<td align="right">2</td>');
    expect(shown).toContain('type="checkbox"');
    expect(shown).toContain('<del>gone</del>');
    expect(shown).toContain('href="http://www.example.com"');
    const target = /href="[^"#]*#([^"]*fn-1)"/.exec(shown)?.[1];
    expect(target).toBe('user-content-fn-1');
    expect(shown).toContain(`id="${target}"`);
  });

  it('opens external links in a new tab without opener and referrer, and internal links in the same tab', () => {
    expect(html('[in](/blog)')).not.toContain('target=');
    expect(html('[out](https://example.com)')).toMatch(/target="_blank" rel="noopener noreferrer"/);
    for (const elsewhere of ['//evil.example', '/\\evil.example']) {
      expect(html(`<a href="${elsewhere}">x</a>`)).toMatch(/target="_blank" rel="noopener noreferrer"/);
    }
  });

  it.each(['http:', 'https:', 'irc:', 'ircs:', 'mailto:', 'xmpp:'])(
    'markdown: keeps a link with the protocol %s',
    (protocol) => {
      expect(html(`[x](${protocol}//example.com)`)).toContain(`href="${protocol}//example.com"`);
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'tel:1', 'blob:x'])(
    'removes the URL %s from links and images',
    (address) => {
      const shown = html(`<a href="${address}">x</a><img src="${address}" alt="x">`);
      expect(shown).not.toContain(address);
    },
  );

  it('prefixes ids and names', () => {
    const shown = html('<p id="location">x</p><a name="cookie">y</a>');
    expect(shown).toContain('id="user-content-location"');
    expect(shown).not.toMatch(/(id|name)="(location|cookie)"/);
  });

  it('markdown: an image of known size reserves its space', () => {
    expect(html('![A receipt](/blog/images/a.webp)')).toMatch(/width="640" height="480"/);
  });
});

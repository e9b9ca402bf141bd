import { describe, expect, it } from 'vitest';
import { assetsOf } from './built-web.ts';

const chunk = (file: string, more: object = {}) => ({ file, css: [], imports: [], assets: [], ...more });

describe('a built page', () => {
  it('loads its entry, what that imports at once, its styles and the fonts of a first view', () => {
    const assets = assetsOf({
      'src/web/entry-client.tsx': chunk('assets/entry-1.js', {
        css: ['assets/entry-2.css'],
        imports: ['_vendor.js'],
        assets: [
          'assets/newsreader-latin-wght-normal-a.woff2',
          'assets/newsreader-latin-ext-wght-normal-b.woff2',
          'assets/newsreader-latin-wght-italic-c.woff2',
          'assets/ibm-plex-mono-latin-400-normal-d.woff2',
        ],
      }),
      '_vendor.js': chunk('assets/vendor-3.js', { imports: ['_shared.js'], css: ['assets/entry-2.css'] }),
      '_shared.js': chunk('assets/shared-4.js', { imports: ['_vendor.js'] }),
      'src/web/later.tsx': chunk('assets/later-5.js', { css: ['assets/later-6.css'] }),
    });
    expect(assets).toEqual({
      script: '/assets/entry-1.js',
      modules: ['/assets/vendor-3.js', '/assets/shared-4.js'],
      styles: ['/assets/entry-2.css'],
      fonts: ['/assets/newsreader-latin-wght-normal-a.woff2'],
    });
  });

  it('without an entry stops the start', () => {
    expect(() => assetsOf({})).toThrow('Run npm run build');
  });
});

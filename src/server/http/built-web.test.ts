import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { fakePageRenderer } from '../../../tests/support/server-app.ts';
import { assetsOf, serveFiles } from './built-web.ts';
import { sendError } from './errors.ts';
import { registerPages } from './pages.ts';

const chunk = (file: string, more: object = {}) => ({ file, imports: [], assets: [], ...more });

describe('a built page', () => {
  it('loads its entry with static imports and the fonts of the first view', () => {
    const assets = assetsOf({
      'src/web/entry-client.tsx': chunk('assets/entry-1.js', {
        imports: ['_vendor.js'],
        assets: [
          'assets/newsreader-base-display-normal-a.woff2',
          'assets/newsreader-latin-display-normal-b.woff2',
          'assets/ibm-plex-mono-latin-400-normal-c.woff2',
          'assets/ibm-plex-mono-latin-400-normal-d.woff2',
        ],
      }),
      '_vendor.js': chunk('assets/vendor-3.js', { imports: ['_shared.js'] }),
      '_shared.js': chunk('assets/shared-4.js', { imports: ['_vendor.js'] }),
      'src/web/later.tsx': chunk('assets/later-5.js'),
    });
    expect(assets).toEqual({
      script: '/assets/entry-1.js',
      modules: ['/assets/vendor-3.js', '/assets/shared-4.js'],
      fonts: ['/assets/newsreader-base-display-normal-a.woff2'],
    });
  });

  it('without an entry stops the start', () => {
    expect(() => assetsOf({})).toThrow('Run npm run build');
  });
});

describe('the files of a built page', () => {
  it('are immutable if their names are hashed, compressed, and 404 if they do not exist', async () => {
    const root = await mkdtemp(join(tmpdir(), 'glyphlift-web-'));
    const app = Fastify();
    app.setErrorHandler(sendError);
    try {
      await mkdir(join(root, 'assets'));
      await mkdir(join(root, '.vite'));
      await writeFile(join(root, '.vite', 'manifest.json'), '{}');
      await writeFile(join(root, 'icon.svg'), '<svg></svg>');
      await writeFile(join(root, 'assets', 'entry-1.js'), 'plain');
      await writeFile(join(root, 'assets', 'entry-1.js.br'), 'brotli');
      await registerPages(app, {
        web: { ...fakePageRenderer, register: (files) => serveFiles(files, root) },
        limiter: { check: async () => {} },
        siteFor: () => ({}) as never,
        now: () => new Date(),
        commonData: {} as never,
        anonymousVisitorAt: async () => undefined,
        visitorData: () => ({}) as never,
      });
      const asset = await app.inject({ url: '/assets/entry-1.js', headers: { 'accept-encoding': 'br' } });
      expect(asset.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(asset.body).toBe('brotli');
      expect((await app.inject('/icon.svg')).headers['cache-control']).toBe('public, max-age=3600');
      expect((await app.inject('/assets/gone.js')).statusCode).toBe(404);
    } finally {
      await app.close();
      await rm(root, { recursive: true, force: true });
    }
  });
});

/** A browser page that reads pictures with the engine of the page, as the product does, and without its server. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build, defaultClientConditions } from 'vite';
import type { Extraction } from '#contract/extraction';
import { chromiumFlags, headlessChromiumPath } from '../../scripts/system.mjs';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

export interface DevicePage {
  page: Page;
  /** Addresses that were asked for, in order. */
  asked: string[];
  /** `longestTask`: of the page's main thread, in milliseconds; 0 where none took 50. */
  read(
    picture: Uint8Array,
    filter: boolean,
  ): Promise<{ extraction: Extraction; milliseconds: number; longestTask: number }>;
  close(): Promise<void>;
}

/**
 * @param options `isolated`: the page may use threads inside one run. `cores`: what it believes the device to have; by default
 * what it has
 */
export async function openDevicePage({
  isolated = false,
  cores,
}: {
  isolated?: boolean;
  cores?: number;
} = {}): Promise<DevicePage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'device-page-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: path.join(import.meta.dirname, '../device/page.ts'),
        output: { entryFileNames: 'page.js' },
      },
    },
  });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    asked.push(pathname);
    if (isolated) {
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('cross-origin-embedder-policy', 'require-corp');
    }
    if (pathname === '/') {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="/page.js"></script>');
      return;
    }
    readFile(path.join(folder, pathname)).then(
      (bytes) =>
        response
          .setHeader('content-type', TYPES[path.extname(pathname)] ?? 'application/octet-stream')
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    browser = await chromium.launch({ executablePath: headlessChromiumPath(), args: chromiumFlags() });
    const page = await browser.newPage();
    if (cores !== undefined) {
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => ${cores} })`,
      );
    }
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const read: DevicePage['read'] = (picture, filter) =>
      page.evaluate(
        ([base64, filtered]) =>
          (
            globalThis as unknown as { readPicture: (...given: unknown[]) => ReturnType<DevicePage['read']> }
          ).readPicture(base64, filtered),
        [Buffer.from(picture).toString('base64'), filter] as const,
      );
    return { page, asked, read, close };
  } catch (error) {
    await close();
    throw error;
  }
}
